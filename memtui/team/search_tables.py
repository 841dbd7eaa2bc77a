"""The tables that searches ask: the words of homes that are too large to copy, and where the server has pgvector their
vectors.

A home's words begin with its number, and its vectors are found by it, so that no question touches a row of another
home, whoever asks. Vectors are of one model: those of another are never compared with a question's. Without the
extension all of this works but for the meaning.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from memtui.team.membership import load_driver

_BEST = r"""asked AS MATERIALIZED (
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
                GROUP BY f.file, f.number ORDER BY 3 DESC, 1 DESC, 2 DESC LIMIT most)"""
"""What a question finds by words in one home, as parts of a statement."""

SEARCH = r"""
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
        RETURN QUERY WITH <words>
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
""".replace("<words>", _BEST)

MEANING = r"""
ALTER TABLE memtui.about ADD COLUMN meaning boolean NOT NULL DEFAULT false;
ALTER TABLE memtui.home ADD COLUMN meant bigint NOT NULL DEFAULT 0;
-- The model whose vectors a file has; `looked`: as of which state of its owner's vectors some were missing.
ALTER TABLE memtui.cut ADD COLUMN meant integer, ADD COLUMN looked text NOT NULL DEFAULT '';
CREATE TABLE memtui.model (
    name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 200),
    size integer NOT NULL CHECK (size BETWEEN 1 AND 4000),
    id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    PRIMARY KEY (name, size)
);
ALTER TABLE memtui.model ENABLE ROW LEVEL SECURITY;
-- From what was found to its file, and not the other way, whatever is known of how many there are.
ALTER FUNCTION memtui.search_chunks(bigint[], text[], integer) SET join_collapse_limit = 1;
UPDATE memtui.about SET version = 5;
"""

_VECTORS = r"""
CREATE TABLE memtui.meaning (
    home bigint NOT NULL,
    file bigint NOT NULL,
    number integer NOT NULL,
    model integer NOT NULL REFERENCES memtui.model (id),
    wide boolean NOT NULL,
    vector <ext>.halfvec NOT NULL,
    PRIMARY KEY (home, file, number)
);
ALTER TABLE memtui.meaning ALTER vector SET STORAGE PLAIN;
ALTER TABLE memtui.meaning ENABLE ROW LEVEL SECURITY;

CREATE FUNCTION memtui.drop_meaning() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    WITH gone AS (DELETE FROM memtui.meaning v USING dropped d WHERE v.home = d.home AND v.file = d.id
        RETURNING v.home)
    UPDATE memtui.home h SET meant = h.meant - g.n
        FROM (SELECT home, count(*) AS n FROM gone GROUP BY home) g WHERE h.id = g.home;
    RETURN NULL;
END $$;
CREATE TRIGGER drop_meaning AFTER DELETE ON memtui.cut REFERENCING OLD TABLE AS dropped
    FOR EACH STATEMENT EXECUTE FUNCTION memtui.drop_meaning();

CREATE FUNCTION memtui.list_unmeant(t text, m text, n text, called text, long integer, state text, most integer)
RETURNS TABLE (path text, etag text, body bytea, numbers integer[]) LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    h bigint;
    of_model integer;
BEGIN
    SELECT id INTO h FROM memtui.home WHERE team = t AND owner = session_user::text AND machine = m AND home = n
        AND t IN (SELECT memtui.list_written_teams());
    SELECT id INTO of_model FROM memtui.model WHERE name = called AND size = long;
    RETURN QUERY SELECT f.path, f.etag, f.body,
        (SELECT array_agg(c.number ORDER BY c.number) FROM memtui.chunk c WHERE c.home = h AND c.file = u.id)
        FROM memtui.cut u JOIN memtui.file f ON f.team = t AND f.owner = session_user::text AND f.machine = m
            AND f.home = n AND f.path = u.path AND NOT f.gone
        WHERE u.home = h AND u.chunks > 0
            AND (of_model IS NULL OR u.meant IS DISTINCT FROM of_model OR u.looked NOT IN ('', state))
        ORDER BY u.id DESC LIMIT most;
END $$;

CREATE FUNCTION memtui.put_meaning(t text, m text, n text, called text, long integer, state text, paths text[],
    etags text[], lacking boolean[], files integer[], numbers integer[], wides boolean[], vectors text[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    h bigint;
    of_model integer;
    cuts bigint[];
    places integer[];
    less bigint;
    more bigint;
BEGIN
    SELECT id INTO h FROM memtui.home WHERE team = t AND owner = session_user::text AND machine = m AND home = n
        AND t IN (SELECT memtui.list_written_teams());
    IF h IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO memtui.model (name, size) VALUES (called, long) ON CONFLICT DO NOTHING;
    SELECT id INTO of_model FROM memtui.model WHERE name = called AND size = long;
    -- A file that was saved meanwhile is looked at when it comes.
    WITH same AS (
        SELECT f.path, p.at FROM unnest(paths, etags) WITH ORDINALITY AS p (path, etag, at)
            JOIN memtui.file f ON f.path = p.path AND f.etag = p.etag
            WHERE f.team = t AND f.owner = session_user::text AND f.machine = m AND f.home = n AND NOT f.gone
            FOR SHARE OF f)
    SELECT array_agg(u.id), array_agg(s.at::integer) INTO cuts, places
        FROM same s JOIN memtui.cut u ON u.home = h AND u.path = s.path;
    WITH gone AS (DELETE FROM memtui.meaning WHERE home = h AND file = ANY (cuts) RETURNING 1)
    SELECT count(*) INTO less FROM gone;
    WITH made AS (INSERT INTO memtui.meaning (home, file, number, model, wide, vector)
        SELECT h, s.id, c.number, of_model, v.wide, <ext>.l2_normalize(v.vector::<ext>.halfvec)
            FROM unnest(cuts, places) AS s (id, at)
            JOIN unnest(files, numbers, wides, vectors) AS v (file, number, wide, vector) ON v.file = s.at
            JOIN memtui.chunk c ON c.home = h AND c.file = s.id AND c.number = v.number
            WHERE <ext>.vector_dims(v.vector::<ext>.halfvec) = long
        RETURNING 1)
    SELECT count(*) INTO more FROM made;
    UPDATE memtui.cut u SET meant = of_model, looked = CASE WHEN lacking[s.at] THEN state ELSE '' END
        FROM unnest(cuts, places) AS s (id, at) WHERE u.home = h AND u.id = s.id;
    UPDATE memtui.home SET meant = meant + more - less WHERE id = h;
END $$;

CREATE FUNCTION memtui.search_meaning(homes bigint[], words text[], most integer, called text, question text)
RETURNS TABLE (home bigint, path text, number bigint, about text, told text, raw bytea, held bigint[],
    near float8, spread float8[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off
SET join_collapse_limit = 1
AS $$
#variable_conflict use_column
DECLARE
    h memtui.home;
    q <ext>.halfvec := <ext>.l2_normalize(question::<ext>.halfvec);
    of_model integer;
    first bigint;
    last bigint;
    lies float8[];
BEGIN
    most := least(most, 1000);
    SELECT id INTO of_model FROM memtui.model WHERE name = called AND size = <ext>.vector_dims(q);
    FOR h IN SELECT x.* FROM memtui.home x JOIN memtui.member m ON m.team = x.team AND m.who = session_user::text
        WHERE x.id = ANY (homes)
    LOOP
        SELECT min(v.file) INTO first FROM memtui.meaning v WHERE v.home = h.id;
        IF h.meant > 200000 THEN
            -- Of a very large home the newest are compared.
            SELECT v.file INTO first FROM memtui.meaning v WHERE v.home = h.id
                ORDER BY v.home DESC, v.file DESC, v.number DESC OFFSET 200000 LIMIT 1;
        END IF;
        -- How near all of a home is: some thousands tell it. What a model gives to a whole language is taken away.
        SELECT max(v.file) INTO last FROM memtui.meaning v WHERE v.home = h.id;
        SELECT ARRAY[sum(n), sum(n * (a - less)) / sum(n),
            sum(n * (s - 2 * less * a + less * less)) / sum(n), max(less) FILTER (WHERE wide),
            max(less) FILTER (WHERE NOT wide)] INTO lies
        FROM (SELECT g.*, CASE WHEN n >= 8 THEN 0.75 * (a - sum(n * a) OVER () / sum(n) OVER ()) ELSE 0 END AS less
            FROM (SELECT wide, count(*) AS n, avg(p) AS a, avg(p * p) AS s
                FROM (SELECT v.wide, <ext>.inner_product(v.vector, q) AS p FROM generate_series(0, 15) i
                    CROSS JOIN LATERAL (SELECT wide, vector FROM memtui.meaning
                        WHERE home = h.id AND model = of_model AND file >= first + (last - first) * i / 16
                            AND file <= first + (last - first) * (i + 1) / 16 - CASE WHEN i < 15 THEN 1 ELSE 0 END
                        ORDER BY home, file, number LIMIT 500) v) p
                GROUP BY wide) g) l;
        RETURN QUERY WITH <words>,
        nearest AS MATERIALIZED (
            SELECT v.file, v.number FROM memtui.meaning v
                WHERE v.home = h.id AND v.model = of_model AND v.file >= first
                ORDER BY <ext>.inner_product(v.vector, q)
                    - CASE WHEN v.wide THEN coalesce(lies[4], 0) ELSE coalesce(lies[5], 0) END DESC LIMIT most),
        chosen AS MATERIALIZED (SELECT file, number FROM best UNION SELECT file, number FROM nearest)
        SELECT h.id, u.path, b.file * 100000 + b.number, c.about, c.told,
            CASE WHEN c.told IS NULL THEN substring(f.body FROM c.start + 1 FOR c.size) END,
            (SELECT array_agg(n ORDER BY at) FROM counted),
            <ext>.inner_product(v.vector, q)
                - CASE WHEN v.wide THEN coalesce(lies[4], 0) ELSE coalesce(lies[5], 0) END,
            ARRAY[least(h.meant, 200000), lies[2], sqrt(greatest(0, lies[3] - lies[2] * lies[2]))]
            FROM chosen b JOIN memtui.chunk c ON c.home = h.id AND c.file = b.file AND c.number = b.number
            JOIN memtui.cut u ON u.id = b.file
            JOIN memtui.file f ON f.team = h.team AND f.owner = h.owner AND f.machine = h.machine AND f.home = h.home
                AND f.path = u.path AND NOT f.gone
            LEFT JOIN memtui.meaning v ON v.home = h.id AND v.file = b.file AND v.number = b.number
                AND v.model = of_model;
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION memtui.drop_meaning(),
    memtui.list_unmeant(text, text, text, text, integer, text, integer),
    memtui.put_meaning(text, text, text, text, integer, text, text[], text[], boolean[], integer[], integer[],
        boolean[], text[]),
    memtui.search_meaning(bigint[], text[], integer, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memtui.list_unmeant(text, text, text, text, integer, text, integer),
    memtui.put_meaning(text, text, text, text, integer, text, text[], text[], boolean[], integer[], integer[],
        boolean[], text[]),
    memtui.search_meaning(bigint[], text[], integer, text, text) TO memtui_member;
UPDATE memtui.about SET meaning = true;
"""
"""Where the extension is: `<ext>` is its schema, `<words>` is `_BEST`."""


def add_meaning(link: Any) -> bool:
    """Have the server search by meaning, where it has pgvector's halfvec and this role may use it; whether it does.

    As the owner of the tables; what cannot be had changes nothing.
    """
    driver = load_driver()
    if link.execute("SELECT meaning FROM memtui.about").fetchone()[0]:
        return True
    with suppress(driver.errors.InsufficientPrivilege, driver.errors.FeatureNotSupported), link.transaction():
        if link.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone():
            link.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA memtui")
    found = link.execute(
        """SELECT quote_ident(s.nspname) FROM pg_extension e JOIN pg_namespace s ON s.oid = e.extnamespace
        JOIN pg_type t ON t.typnamespace = s.oid AND t.typname = 'halfvec' WHERE e.extname = 'vector'"""
    ).fetchone()
    if found is None:
        return False
    with link.transaction():
        link.execute("SELECT pg_advisory_xact_lock(hashtext('memtui'))")
        if not link.execute("SELECT meaning FROM memtui.about").fetchone()[0]:
            link.execute(_VECTORS.replace("<words>", _BEST).replace("<ext>", str(found[0])))
    return True
