"""The tables of a team's server: who may see and change which rows, and how an older server becomes a newer one.

Only what every service that speaks PostgreSQL's protocol has is used: btree, upsert, row-level security, triggers.
A row belongs to the database role that wrote it (`session_user`), so that nobody can write under another's name.

`team.rev` is the one clock of a team: whoever writes holds its row until the commit, so that rows become visible in
the order of their revs, and a reader that asks for `rev > n` misses none. (A sequence would lose those of a slow
transaction that commits after a fast one.) The functions that go around the policies run as the owner of the tables
and ask `session_user` themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.core.errors import RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.team.membership import translate_server_errors

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

_SEARCH = r"""
-- The most bytes of one home that this machine copies; none: it copies all.
ALTER TABLE memtui.machine ADD COLUMN copies bigint CHECK (copies >= 1048576);
CREATE TABLE memtui.home (
    team text NOT NULL REFERENCES memtui.team ON DELETE CASCADE,
    owner text NOT NULL,
    machine text NOT NULL,
    home text NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    files bigint NOT NULL,
    size bigint NOT NULL,
    cut bigint NOT NULL DEFAULT 0,
    chunks bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (team, owner, machine, home)
);
INSERT INTO memtui.home (team, owner, machine, home, files, size)
    SELECT team, owner, machine, home, count(*), sum(octet_length(body)) FROM memtui.file WHERE NOT gone
    GROUP BY team, owner, machine, home;
CREATE TABLE memtui.cut (
    home bigint NOT NULL REFERENCES memtui.home (id) ON DELETE CASCADE,
    path text NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    chunks integer NOT NULL,
    PRIMARY KEY (home, path)
);
CREATE UNIQUE INDEX cut_id ON memtui.cut (id);
CREATE TABLE memtui.chunk (
    home bigint NOT NULL,
    file bigint NOT NULL,
    number integer NOT NULL,
    start integer NOT NULL,
    size integer NOT NULL,
    about text NOT NULL,
    told text,
    tokens tsvector NOT NULL,
    PRIMARY KEY (home, file, number)
);
-- What waits in a list of its own is looked through by every question, whoever asks.
CREATE INDEX chunk_tokens ON memtui.chunk USING gin (tokens) WITH (fastupdate = off);

CREATE FUNCTION memtui.count_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO memtui.home AS h (team, owner, machine, home, files, size)
        SELECT team, owner, machine, home, count(*), sum(octet_length(body)) FROM added WHERE NOT gone
        GROUP BY team, owner, machine, home
        ON CONFLICT (team, owner, machine, home) DO UPDATE
        SET files = h.files + excluded.files, size = h.size + excluded.size;
    RETURN NULL;
END $$;
CREATE FUNCTION memtui.count_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM before) THEN
        RETURN NULL;
    END IF;
    DELETE FROM memtui.cut c USING before b, memtui.home h
        WHERE (h.team, h.owner, h.machine, h.home) = (b.team, b.owner, b.machine, b.home)
        AND c.home = h.id AND c.path = b.path;
    INSERT INTO memtui.home AS h (team, owner, machine, home, files, size)
        SELECT team, owner, machine, home, sum(files), sum(size) FROM (
            SELECT team, owner, machine, home, 1 AS files, octet_length(body) AS size FROM later WHERE NOT gone
            UNION ALL SELECT team, owner, machine, home, -1, -octet_length(body) FROM before WHERE NOT gone) d
        GROUP BY team, owner, machine, home
        ON CONFLICT (team, owner, machine, home) DO UPDATE
        SET files = h.files + excluded.files, size = h.size + excluded.size;
    DELETE FROM memtui.home h USING before b
        WHERE (h.team, h.owner, h.machine, h.home) = (b.team, b.owner, b.machine, b.home) AND h.files <= 0;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON memtui.file REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION memtui.count_added();
CREATE TRIGGER count_changed AFTER UPDATE ON memtui.file REFERENCING OLD TABLE AS before NEW TABLE AS later
    FOR EACH STATEMENT EXECUTE FUNCTION memtui.count_changed();
CREATE FUNCTION memtui.drop_chunks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM memtui.chunk c USING dropped d WHERE c.home = d.home AND c.file = d.id;
    UPDATE memtui.home h SET cut = h.cut - d.files, chunks = h.chunks - d.chunks
        FROM (SELECT home, count(*) AS files, sum(chunks) AS chunks FROM dropped GROUP BY home) d WHERE h.id = d.home;
    RETURN NULL;
END $$;
CREATE TRIGGER drop_chunks AFTER DELETE ON memtui.cut REFERENCING OLD TABLE AS dropped
    FOR EACH STATEMENT EXECUTE FUNCTION memtui.drop_chunks();

-- The words of a home begin with its number, put there by the server alone: no question touches another home's words.
CREATE FUNCTION memtui.mark_words(h bigint, words text, allowed text) RETURNS text LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF words ~ '[\\]' OR regexp_replace(words, '''[^'']*''', '', 'g') ~ allowed THEN
        RAISE insufficient_privilege USING MESSAGE = 'These are no words.';
    END IF;
    RETURN regexp_replace(words, '''([^'']*)''', '''' || h || ':\1''', 'g');
END $$;

CREATE FUNCTION memtui.list_uncut(t text, m text, most integer)
RETURNS TABLE (home text, path text, etag text, body bytea) LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE h memtui.home;
BEGIN
    FOR h IN SELECT * FROM memtui.home WHERE team = t AND owner = session_user::text AND machine = m AND cut < files
        AND size > (SELECT 0.8 * min(copies) FROM memtui.machine WHERE team = t)
        AND t IN (SELECT memtui.list_written_teams())
    LOOP
        RETURN QUERY SELECT f.home, f.path, f.etag, f.body FROM memtui.file f
            WHERE f.team = t AND f.owner = h.owner AND f.machine = m AND f.home = h.home AND NOT f.gone
            AND NOT EXISTS (SELECT FROM memtui.cut c WHERE c.home = h.id AND c.path = f.path)
            ORDER BY f.rev DESC LIMIT least(most, h.files - h.cut);
    END LOOP;
END $$;

CREATE FUNCTION memtui.put_chunks(t text, m text, n text, paths text[], etags text[], files integer[],
    starts integer[], sizes integer[], abouts text[], tolds text[], words text[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE h bigint;
BEGIN
    SELECT id INTO h FROM memtui.home WHERE team = t AND owner = session_user::text AND machine = m AND home = n
        AND t IN (SELECT memtui.list_written_teams());
    -- A file that was saved meanwhile is cut when it comes.
    WITH same AS (
        SELECT f.path, p.at FROM unnest(paths, etags) WITH ORDINALITY AS p (path, etag, at)
            JOIN memtui.file f ON f.path = p.path AND f.etag = p.etag
            WHERE f.team = t AND f.owner = session_user::text AND f.machine = m AND f.home = n AND NOT f.gone
            FOR SHARE OF f),
    parts AS (SELECT * FROM unnest(files, starts, sizes, abouts, tolds, words) WITH ORDINALITY
        AS c (file, start, size, about, told, words, number)),
    made AS (INSERT INTO memtui.cut (home, path, chunks)
        SELECT h, s.path, (SELECT count(*) FROM parts c WHERE c.file = s.at) FROM same s
        ON CONFLICT DO NOTHING RETURNING path, id, chunks),
    told AS (UPDATE memtui.home SET cut = cut + (SELECT count(*) FROM made),
        chunks = chunks + (SELECT coalesce(sum(chunks), 0) FROM made) WHERE id = h)
    INSERT INTO memtui.chunk (home, file, number, start, size, about, told, tokens)
        SELECT h, made.id, c.number, c.start, c.size, c.about, c.told,
            memtui.mark_words(h, c.words, '[^ :,0-9]')::tsvector
        FROM parts c JOIN same s ON s.at = c.file JOIN made ON made.path = s.path;
END $$;

CREATE FUNCTION memtui.search_chunks(homes bigint[], words text[], most integer)
RETURNS TABLE (home bigint, path text, number bigint, about text, told text, raw bytea, held bigint[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE h memtui.home;
BEGIN
    most := least(most, 1000);
    FOR h IN SELECT x.* FROM memtui.home x JOIN memtui.member m ON m.team = x.team AND m.who = session_user::text
        WHERE x.id = ANY (homes)
    LOOP
        -- A rare word is found whole; of a common one, which the newest of all chunks hold, the newest are.
        RETURN QUERY WITH asked AS MATERIALIZED (
            SELECT w.at, memtui.mark_words(h.id, w.q, '[^ |&<>():*-]')::tsquery AS q
                FROM unnest(words) WITH ORDINALITY AS w (q, at)),
        probed AS MATERIALIZED (
            SELECT a.at, c.file, c.number FROM asked a CROSS JOIN LATERAL (
                SELECT c.file, c.number FROM memtui.chunk c WHERE c.tokens @@ a.q AND c.home + 0 = h.id LIMIT 2000) c),
        counted AS MATERIALIZED (
            SELECT a.at, (SELECT count(*) FROM probed p WHERE p.at = a.at) AS n FROM asked a),
        newest AS MATERIALIZED (
            SELECT c.file, c.number, c.tokens FROM memtui.chunk c WHERE c.home = h.id
                ORDER BY c.home DESC, c.file DESC, c.number DESC LIMIT 10000),
        found AS (
            SELECT at, file, number FROM probed UNION
            SELECT a.at, c.file, c.number FROM asked a JOIN counted n ON n.at = a.at AND n.n = 2000
                CROSS JOIN LATERAL (SELECT c.file, c.number FROM newest c WHERE c.tokens @@ a.q LIMIT most) c),
        best AS MATERIALIZED (
            SELECT f.file, f.number, sum(ln(1 + h.chunks / n.n::float8)) AS worth
                FROM found f JOIN counted n ON n.at = f.at
                GROUP BY f.file, f.number ORDER BY 3 DESC, 1 DESC, 2 DESC LIMIT most)
        SELECT h.id, u.path, b.file * 100000 + b.number, c.about, c.told,
            CASE WHEN c.told IS NULL THEN substring(f.body FROM c.start + 1 FOR c.size) END,
            (SELECT array_agg(n ORDER BY at) FROM counted)
            FROM best b JOIN memtui.chunk c ON c.home = h.id AND c.file = b.file AND c.number = b.number
            JOIN memtui.cut u ON u.id = b.file
            JOIN memtui.file f ON f.team = h.team AND f.owner = h.owner AND f.machine = h.machine AND f.home = h.home
                AND f.path = u.path AND NOT f.gone;
    END LOOP;
END $$;

ALTER TABLE memtui.home ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.cut ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtui.chunk ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON memtui.home FOR SELECT USING (team IN (SELECT memtui.list_teams()));
GRANT SELECT ON memtui.home TO memtui_member;
REVOKE ALL ON FUNCTION memtui.count_added(), memtui.count_changed(), memtui.drop_chunks(),
    memtui.mark_words(bigint, text, text), memtui.list_uncut(text, text, integer),
    memtui.put_chunks(text, text, text, text[], text[], integer[], integer[], integer[], text[], text[], text[]),
    memtui.search_chunks(bigint[], text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memtui.list_uncut(text, text, integer),
    memtui.put_chunks(text, text, text, text[], text[], integer[], integer[], integer[], text[], text[], text[]),
    memtui.search_chunks(bigint[], text[], integer) TO memtui_member;
UPDATE memtui.about SET version = 4;
"""

MIGRATIONS = (_FIRST, _OFFERS, _PASSWORDS, _SEARCH)
"""Each makes its version of the one before. One that older clients cannot live with raises `about.least`."""
_PASSWORDS_SINCE = 3
SEARCH_SINCE = 4
VERSION = len(MIGRATIONS)
"""What this memtui makes and speaks; it gets along with older ones, and newer ones whose `least` is not above it."""


def read_version(link: Any) -> int:
    """The version of the tables; 0: there are none. Raises RefusedError where they are too new for this memtui."""
    with translate_server_errors():
        version, least = _ask_version(link)
    if least > VERSION:
        raise RefusedError(_("The team's server is newer than this memtui: update memtui."))
    return version


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
            psycopg_sql.SQL("GRANT {} TO {}").format(
                psycopg_sql.Identifier(GROUP), psycopg_sql.Identifier(who)
            )
        )
        link.execute("INSERT INTO memtui.member (team, who, role) VALUES (%s, %s, 'admin')", [team, who])


def add_member(link: Any, team: str, who: str, role: str, password: str) -> None:
    """Take somebody in, or change what they may do; a role that is not there is made with that password."""
    with translate_server_errors():
        link.execute(
            "SELECT memtui.add_member(%s, %s, %s, %s)", [team, who, role, hash_password(link, password, who)]
        )


def set_password(link: Any, team: str, who: str, password: str) -> None:
    """Another password for somebody: oneself, or whoever is in no team but those whose admin one is.

    Raises RefusedError.
    """
    if read_version(link) < _PASSWORDS_SINCE:
        raise RefusedError(
            _("The team's server is too old for that: its admin runs `memtui team init` again.")
        )
    with translate_server_errors():
        link.execute(
            "SELECT memtui.set_password(%s, %s, %s)", [team, who, hash_password(link, password, who)]
        )


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
