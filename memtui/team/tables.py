"""The tables of a team's server: who may see and change which rows, and how an older server becomes a newer one.

Only what every service that speaks PostgreSQL's protocol has is used: btree, upsert, row-level security, triggers.
A row belongs to the database role that wrote it (`session_user`), so that nobody can write under another's name.

`rev` of the table team is the one clock of a team: whoever writes holds its row until the commit, so that rows become
visible in the order of their revs, and a reader that asks for `rev > n` misses none. (A sequence would lose those of a
slow transaction that commits after a fast one.) The functions that go around the policies run as the owner of the
tables and ask `session_user` themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.core.errors import RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.team.membership import translate_server_errors
from memtui.team.search_tables import MEANING, SEARCH, add_meaning

if TYPE_CHECKING:
    from collections.abc import Sequence

GROUP = "memtui_member"
"""The role whose rights every member has."""

_FIRST = r"""
CREATE SCHEMA memtui;
CREATE TABLE memtui.about (version integer NOT NULL, least integer NOT NULL);
INSERT INTO memtui.about VALUES (1, 1);
CREATE TABLE memtui.team (
    id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9._-]{0,47}$'),
    audience text NOT NULL CHECK (audience IN ('me', 'team')),
    born uuid NOT NULL DEFAULT gen_random_uuid(),
    rev bigint NOT NULL DEFAULT 0,
    tx bigint NOT NULL DEFAULT 0
);
CREATE TABLE memtui.member (
    team text NOT NULL REFERENCES memtui.team ON DELETE CASCADE,
    who text NOT NULL CHECK (who ~ '^[a-z0-9][a-z0-9._-]{0,47}$'),
    role text NOT NULL CHECK (role IN ('admin', 'member', 'reader')),
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (team, who)
);
CREATE INDEX member_who ON memtui.member (who);
CREATE TABLE memtui.machine (
    team text NOT NULL,
    owner text NOT NULL,
    machine text NOT NULL CHECK (machine ~ '^[a-z0-9][a-z0-9._-]{0,47}$'),
    id uuid NOT NULL,
    seen timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (team, owner, machine),
    FOREIGN KEY (team, owner) REFERENCES memtui.member ON DELETE CASCADE
);
CREATE TABLE memtui.file (
    team text NOT NULL REFERENCES memtui.team ON DELETE CASCADE,
    owner text NOT NULL,
    machine text NOT NULL,
    home text NOT NULL,
    path text NOT NULL,
    etag text NOT NULL,
    body bytea CHECK (octet_length(body) <= 4194304),
    rev bigint NOT NULL,
    gone boolean NOT NULL DEFAULT false,
    PRIMARY KEY (team, owner, machine, home, path),
    CHECK (gone = (body IS NULL)),
    CHECK (octet_length(path) <= 4096)
);
CREATE INDEX file_rev ON memtui.file (team, rev);

CREATE FUNCTION memtui.list_teams() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS
$$ SELECT team FROM memtui.member WHERE who = session_user::text $$;

CREATE FUNCTION memtui.list_written_teams() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS
$$ SELECT team FROM memtui.member WHERE who = session_user::text AND role <> 'reader' $$;

CREATE FUNCTION memtui.advance(t text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE r bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM memtui.member WHERE team = t AND who = session_user::text AND role <> 'reader') THEN
        RAISE insufficient_privilege USING MESSAGE = format('%s may not write in the team %s', session_user, t);
    END IF;
    UPDATE memtui.team SET rev = rev + 1, tx = txid_current()
        WHERE id = t AND tx <> txid_current() RETURNING rev INTO r;
    IF r IS NULL THEN
        SELECT rev INTO r FROM memtui.team WHERE id = t;
    END IF;
    RETURN r;
END $$;

CREATE FUNCTION memtui.stamp_rev() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.rev := memtui.advance(NEW.team);
    RETURN NEW;
END $$;
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON memtui.file FOR EACH ROW EXECUTE FUNCTION memtui.stamp_rev();

CREATE FUNCTION memtui.tell() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('memtui', '');
    RETURN NULL;
END $$;
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON memtui.file FOR EACH STATEMENT EXECUTE FUNCTION memtui.tell();

CREATE FUNCTION memtui.add_member(t text, w text, r text, password text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM memtui.member WHERE team = t AND who = session_user::text AND role = 'admin') THEN
        RAISE insufficient_privilege USING MESSAGE = format('%s is no admin of the team %s', session_user, t);
    END IF;
    IF EXISTS (SELECT FROM memtui.team WHERE id = t AND audience = 'me') THEN
        RAISE EXCEPTION 'The team % is for the machines of one person.', t;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = w) THEN
        EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L', w, password);
    END IF;
    EXECUTE format('GRANT memtui_member TO %I', w);
    INSERT INTO memtui.member (team, who, role) VALUES (t, w, r)
        ON CONFLICT (team, who) DO UPDATE SET role = excluded.role;
END $$;

CREATE FUNCTION memtui.remove_member(t text, w text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF w <> session_user::text
        AND NOT EXISTS (SELECT FROM memtui.member WHERE team = t AND who = session_user::text AND role = 'admin') THEN
        RAISE insufficient_privilege USING MESSAGE = format('%s is no admin of the team %s', session_user, t);
    END IF;
    IF EXISTS (SELECT FROM memtui.member WHERE team = t AND who <> w)
        AND NOT EXISTS (SELECT FROM memtui.member WHERE team = t AND who <> w AND role = 'admin') THEN
        RAISE EXCEPTION 'The team % would be left without an admin: make somebody else one first.', t;
    END IF;
    IF EXISTS (SELECT FROM memtui.file WHERE team = t AND owner = w AND NOT gone) THEN
        UPDATE memtui.file SET gone = true, body = NULL, etag = '' WHERE team = t AND owner = w AND NOT gone;
    END IF;
    DELETE FROM memtui.member WHERE team = t AND who = w;
    DELETE FROM memtui.team WHERE id = t AND NOT EXISTS (SELECT FROM memtui.member WHERE team = t);
END $$;

ALTER TABLE memtui.about ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.team ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.member ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.machine ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.file ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON memtui.about FOR SELECT USING (true);
CREATE POLICY see ON memtui.team FOR SELECT USING (id IN (SELECT memtui.list_teams()));
CREATE POLICY see ON memtui.member FOR SELECT USING (team IN (SELECT memtui.list_teams()));
CREATE POLICY see ON memtui.machine FOR SELECT USING (team IN (SELECT memtui.list_teams()));
CREATE POLICY own ON memtui.machine FOR ALL
    USING (owner = session_user::text AND team IN (SELECT memtui.list_teams()))
    WITH CHECK (owner = session_user::text AND team IN (SELECT memtui.list_teams()));
CREATE POLICY see ON memtui.file FOR SELECT USING (team IN (SELECT memtui.list_teams()));
CREATE POLICY add ON memtui.file FOR INSERT
    WITH CHECK (owner IN (session_user::text, '') AND team IN (SELECT memtui.list_written_teams()));
CREATE POLICY change ON memtui.file FOR UPDATE
    USING (owner IN (session_user::text, '') AND team IN (SELECT memtui.list_written_teams()))
    WITH CHECK (owner IN (session_user::text, '') AND team IN (SELECT memtui.list_written_teams()));

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA memtui FROM PUBLIC;
GRANT USAGE ON SCHEMA memtui TO memtui_member;
GRANT SELECT ON memtui.about, memtui.team, memtui.member TO memtui_member;
GRANT SELECT, INSERT, UPDATE, DELETE ON memtui.machine TO memtui_member;
GRANT SELECT, INSERT, UPDATE ON memtui.file TO memtui_member;
GRANT EXECUTE ON FUNCTION memtui.list_teams(), memtui.list_written_teams(), memtui.advance(text),
    memtui.add_member(text, text, text, text), memtui.remove_member(text, text) TO memtui_member;
"""

_OFFERS = r"""
CREATE TABLE memtui.proposal (
    team text NOT NULL REFERENCES memtui.team ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    to_who text NOT NULL,
    machine text NOT NULL,
    from_who text NOT NULL DEFAULT session_user,
    edit jsonb NOT NULL CHECK (octet_length(edit::text) <= 262144),
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'taken', 'approved', 'rejected', 'withdrawn')),
    made timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (team, id),
    FOREIGN KEY (team, to_who) REFERENCES memtui.member ON DELETE CASCADE,
    FOREIGN KEY (team, from_who) REFERENCES memtui.member ON DELETE CASCADE
);
CREATE INDEX proposal_to ON memtui.proposal (team, to_who, machine) WHERE state = 'waiting';
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON memtui.proposal FOR EACH STATEMENT EXECUTE FUNCTION memtui.tell();
ALTER TABLE memtui.proposal ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON memtui.proposal FOR SELECT
    USING (session_user::text IN (to_who, from_who) AND team IN (SELECT memtui.list_teams()));
CREATE POLICY add ON memtui.proposal FOR INSERT
    WITH CHECK (from_who = session_user::text AND state = 'waiting' AND team IN (SELECT memtui.list_teams()));
CREATE POLICY decide ON memtui.proposal FOR UPDATE
    USING (session_user::text IN (to_who, from_who) AND team IN (SELECT memtui.list_teams()))
    WITH CHECK ((to_who = session_user::text AND state IN ('taken', 'approved', 'rejected'))
        OR (from_who = session_user::text AND state = 'withdrawn'));
GRANT SELECT, INSERT ON memtui.proposal TO memtui_member;
GRANT UPDATE (state) ON memtui.proposal TO memtui_member;
UPDATE memtui.about SET version = 2;
"""

_PASSWORDS = r"""
CREATE FUNCTION memtui.set_password(t text, w text, password text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- Who can set a password can be that person: in every team of theirs, and not only in this one.
    IF w <> session_user::text AND (
        NOT EXISTS (SELECT FROM memtui.member WHERE team = t AND who = w)
        OR EXISTS (SELECT FROM memtui.member m WHERE m.who = w AND NOT EXISTS (
            SELECT FROM memtui.member a WHERE a.team = m.team AND a.who = session_user::text AND a.role = 'admin'))
        OR EXISTS (SELECT FROM pg_roles WHERE rolname = w AND (rolsuper OR rolcreaterole))
    ) THEN
        RAISE insufficient_privilege USING MESSAGE = format('%s may not set the password of %s', session_user, w);
    END IF;
    EXECUTE format('ALTER ROLE %I PASSWORD %L', w, password);
END $$;
REVOKE ALL ON FUNCTION memtui.set_password(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memtui.set_password(text, text, text) TO memtui_member;
UPDATE memtui.about SET version = 3;
"""

MIGRATIONS = (_FIRST, _OFFERS, _PASSWORDS, SEARCH, MEANING)
"""Each makes its version of the one before. One that older clients cannot live with raises `about.least`."""
_PASSWORDS_SINCE = 3
SEARCH_SINCE = 4
MEANING_SINCE = 5
VERSION = len(MIGRATIONS)
"""What this memtui makes and speaks; it gets along with older ones, and newer ones whose `least` is not above it."""


def read_version(link: Any) -> int:
    """The version of the tables; 0: there are none. Raises RefusedError where they are too new for this memtui."""
    with translate_server_errors():
        version, least = _ask_version(link)
    if least > VERSION:
        raise RefusedError(_("The team's server is newer than this memtui: update memtui."))
    return version


def can_search_meaning(link: Any, version: int) -> bool:
    """Whether a server of that version compares vectors, too."""
    if version < MEANING_SINCE:
        return False
    with translate_server_errors():
        return bool(link.execute("SELECT meaning FROM memtui.about").fetchone()[0])


def require_version(link: Any) -> int:
    """As `read_version`. Raises UnavailableError where there are no tables."""
    version = read_version(link)
    if not version:
        raise UnavailableError(_("There is no team on that server yet: `memtui team init` makes one."))
    return version


def migrate(link: Any, upto: int = VERSION) -> int:
    """Make the tables, or bring them up to date, each step in a transaction of its own; the version they had.

    As the role that owns them, which must be able to make roles. Two at once wait for each other.
    """
    with translate_server_errors():
        with link.transaction():
            link.execute("SELECT pg_advisory_xact_lock(hashtext('memtui'))")
            if not link.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [GROUP]).fetchone():
                link.execute(f"CREATE ROLE {GROUP} NOLOGIN")
        before = _ask_version(link)[0]
        for number in range(before, upto):
            with link.transaction():
                link.execute("SELECT pg_advisory_xact_lock(hashtext('memtui'))")
                if _ask_version(link)[0] == number:
                    link.execute(MIGRATIONS[number])
        if upto >= MEANING_SINCE:
            add_meaning(link)
    return before


def _ask_version(link: Any) -> tuple[int, int]:
    """The version of the tables and the oldest that they get along with; zeros: there are none."""
    # Whoever is no member may not even look the name up.
    there = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'memtui'"
    if not link.execute(there).fetchone():
        return 0, 0
    version, least = link.execute("SELECT version, least FROM memtui.about").fetchone()
    return int(version), int(least)


def make_team(link: Any, team: str, audience: str, who: str, password: str = "") -> None:
    """Make a team whose first admin is `who`, a role that is made where it is not there. As the owner of the tables.

    Raises RefusedError where there is such a team.
    """
    psycopg_sql = link_sql()
    with translate_server_errors(), link.transaction():
        made = link.execute(
            "INSERT INTO memtui.team (id, audience) VALUES (%s, %s) ON CONFLICT DO NOTHING RETURNING id",
            [team, audience],
        ).fetchone()
        if not made:
            raise RefusedError(_("There is a team “{team}” on that server already.").format(team=team))
        if not link.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [who]).fetchone():
            link.execute(
                psycopg_sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                    psycopg_sql.Identifier(who), psycopg_sql.Literal(hash_password(link, password, who))
                )
            )
        link.execute(
            psycopg_sql.SQL("GRANT {} TO {}").format(psycopg_sql.Identifier(GROUP), psycopg_sql.Identifier(who))
        )
        link.execute("INSERT INTO memtui.member (team, who, role) VALUES (%s, %s, 'admin')", [team, who])


def add_member(link: Any, team: str, who: str, role: str, password: str) -> None:
    """Take somebody in, or change what they may do; a role that is not there is made with that password."""
    with translate_server_errors():
        link.execute("SELECT memtui.add_member(%s, %s, %s, %s)", [team, who, role, hash_password(link, password, who)])


def set_password(link: Any, team: str, who: str, password: str) -> None:
    """Another password for somebody: oneself, or whoever is in no team but those whose admin one is.

    Raises RefusedError.
    """
    if read_version(link) < _PASSWORDS_SINCE:
        raise RefusedError(_("The team's server is too old for that: its admin runs `memtui team init` again."))
    with translate_server_errors():
        link.execute("SELECT memtui.set_password(%s, %s, %s)", [team, who, hash_password(link, password, who)])


def hash_password(link: Any, password: str, who: str) -> str | None:
    """What the server keeps of a password, made here: it stands in no log."""
    if not password:
        return None
    return str(link.pgconn.encrypt_password(password.encode(), who.encode(), b"scram-sha-256").decode())


def list_members(link: Any, team: str) -> Sequence[tuple[Any, ...]]:
    """Who, role, since, machines with when they last were heard of, files shared and their bytes."""
    with translate_server_errors():
        found: Sequence[tuple[Any, ...]] = link.execute(
            """SELECT m.who, m.role, extract(epoch FROM m.since)::float8,
                coalesce((SELECT array_agg(machine ORDER BY machine) FROM memtui.machine x
                          WHERE x.team = m.team AND x.owner = m.who), '{}'),
                (SELECT extract(epoch FROM max(seen))::float8 FROM memtui.machine x
                          WHERE x.team = m.team AND x.owner = m.who),
                (SELECT count(*) FROM memtui.file f WHERE f.team = m.team AND f.owner = m.who AND NOT gone),
                (SELECT coalesce(sum(octet_length(body)), 0)::bigint FROM memtui.file f
                          WHERE f.team = m.team AND f.owner = m.who AND NOT gone)
            FROM memtui.member m WHERE m.team = %s ORDER BY m.who""",
            [team],
        ).fetchall()
    return found


def link_sql() -> Any:
    """How the driver quotes names."""
    from importlib import import_module

    return import_module("psycopg.sql")
