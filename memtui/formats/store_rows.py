"""Databases that other tools remember in, as memories: claude-mem's and engram's observations, OpenCode's sessions,
and the packed files in which such rows are handed on in a repository.

A table's columns are taken by introspection, so that older and newer schemas show what they have. Only read, never
written, locked or migrated (see `fs.database_rows`). What a store keeps of its own work (queues, prompts, usage) is
no memory and is left out.
"""

from __future__ import annotations

import json
import zlib

from memtui.core import clock
from memtui.core.model import WHOLE, Entry, Layer, Parsed, Problem, Status
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats.memory_rows import RowsView, parse_tables
from memtui.formats.records import (
    build_search_text,
    decode_nested_json,
    find_first_text,
    fit_line,
    parse_moment,
    parse_number,
    parse_word_list,
    shorten_value,
)
from memtui.fs.database_rows import iterate_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    import apsw

    from memtui.formats import Source

_KINDS = {
    "decision": "decision", "architecture": "decision", "design": "decision", "preference": "pref", "pref": "pref",
    "learning": "lesson", "lesson": "lesson", "gotcha": "lesson", "pattern": "rule", "convention": "rule",
    "rule": "rule", "directive": "rule", "discovery": "fact", "config": "fact", "fact": "fact", "todo": "todo",
    "session_summary": "session", "summary": "session",
}  # fmt: skip
"""What these stores call a kind, where it is one of ours; any other (bugfix, feature, refactor, manual) is a note."""
_GOAL = compile_pattern(r"\s*#{1,4} goal\s*\n+(?:[-*] )?([^\n]+)", 2)
_ENDED = frozenset({"archived", "inactive", "disabled", "deleted", "retired"})


def _find_first_moment(row: Mapping[str, Any], *names: str) -> float | None:
    """The first of these times; SQLite's own datetime('now') is UTC without saying so."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value and value[-1:].isdigit() and "+" not in value and ":" in value:
            found = clock.parse(f"{value.strip().replace(' ', 'T', 1)}Z")
        else:
            found = parse_moment(value)
        if found is not None:
            return found
    return None


def _collect_columns(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: fit_line(row[name], 400) for name in names if row.get(name) not in (None, "", "[]")}


def parse_observation_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """What was noticed in a session: claude-mem stores a narrative and facts, engram one text."""
    said = find_first_text(row, "narrative", "content", "text")
    known = [shorten_value(fact) for fact in parse_fact_list(row.get("facts"))]
    known = [fact for fact in known if fact.strip() and fact not in said]
    title = fit_line(find_first_text(row, "title"), 200)
    text = "\n".join([*filter(None, [said]), *(f"- {fact}" for fact in known)])
    text = text or find_first_text(row, "subtitle") or title
    if not text:
        return None
    named = fit_line(row.get("type", "")).lower()
    kind = _KINDS.get(named, "note")
    if kind == "session" and title.lower().startswith("session summary") and (goal := _GOAL.match(text)):
        # Every session is called so: what it was for tells them apart.
        title = fit_line(goal[1], 200)
    concepts = parse_word_list(row.get("concepts") or row.get("tags"))
    files = tuple(dict.fromkeys((*parse_word_list(row.get("files_modified")), *parse_word_list(row.get("files_read")))))
    extra = _collect_columns(row, "project", "scope", "topic_key", "subtitle", "tool_name")
    if named and named != kind:
        extra["type"] = named
    if files:
        extra["files"] = ", ".join(files[:20])
    if str(row.get("revision_count") or "1") != "1":
        extra["revisions"] = row["revision_count"]
    return Entry(
        text=text,
        start=start,
        end=end,
        kind=kind,
        layer=Layer.SESSION if kind == "session" else None,
        status=Status.DELETED if row.get("deleted_at") else Status.ACTIVE,
        title=title if title != text else "",
        created=_find_first_moment(row, "created_at_epoch", "created_at"),
        updated=_find_first_moment(row, "updated_at_epoch", "updated_at"),
        expires=_find_first_moment(row, "expires_at"),
        confidence=parse_number(row.get("confidence")),
        tags=concepts,
        session=fit_line(find_first_text(row, "memory_session_id", "sdk_session_id", "session_id")),
        key=fit_line(row.get("id", "")),
        search=build_search_text(text, title, extra.get("project", ""), concepts, files),
        extra=extra,
    )


def parse_fact_list(value: Any) -> tuple[str, ...]:
    """Whole sentences, as a JSON list or one a line: commas do not end them."""
    if isinstance(value, str) and value.strip()[:1] not in {"", "["}:
        return tuple(line.strip().removeprefix("- ") for line in value.split("\n") if line.strip())
    return parse_word_list(value) if isinstance(value, list) else _decode(value)


def _decode(value: Any) -> tuple[str, ...]:
    found = decode_nested_json(value)
    return tuple(item for item in found if isinstance(item, str)) if isinstance(found, list) else ()


_SUMMARY = (
    ("learned", ""), ("completed", "done"), ("investigated", "investigated"), ("next_steps", "next steps"),
    ("notes", "notes"),
)  # fmt: skip


def parse_summary_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A session in a few fields: what was asked is its title."""
    asked = fit_line(find_first_text(row, "request"), 200)
    parts = [(label, find_first_text(row, name)) for name, label in _SUMMARY]
    text = "\n".join(f"{label}: {said}" if label else said for label, said in parts if said) or asked
    if not text:
        return None
    return Entry(
        text=text,
        start=start,
        end=end,
        kind="session",
        layer=Layer.SESSION,
        title=asked if asked != text else "",
        created=_find_first_moment(row, "created_at_epoch", "created_at"),
        session=fit_line(find_first_text(row, "memory_session_id", "sdk_session_id", "session_id")),
        key=f"summary-{fit_line(row['id'])}" if row.get("id") is not None else "",
        search=build_search_text(text, asked, fit_line(row.get("project", ""))),
        extra=_collect_columns(row, "project", "files_edited"),
    )


def parse_directive_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A rule that a person gave for every session."""
    text = find_first_text(row, "content")
    if not text:
        return None
    status = fit_line(row.get("status", "")).lower()
    return Entry(
        text=text,
        start=start,
        end=end,
        kind="rule",
        status=Status.ARCHIVED if status in _ENDED else Status.ACTIVE,
        created=_find_first_moment(row, "created_at_epoch", "created_at"),
        updated=_find_first_moment(row, "updated_at_epoch"),
        key=f"directive-{fit_line(row['id'])}" if row.get("id") is not None else "",
        search=text,
        extra=_collect_columns(row, "project", "scope", "source"),
    )


def parse_session_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A session by its title or summary; those of sub-agents are parts of others."""
    if row.get("parent_id"):
        return None
    title, text = fit_line(find_first_text(row, "title"), 200), find_first_text(row, "summary") or ""
    text = text or title
    if not text:
        return None
    return Entry(
        text=text,
        start=start,
        end=end,
        kind="session",
        layer=Layer.SESSION,
        status=Status.ARCHIVED if row.get("time_archived") else Status.ACTIVE,
        title=title if title != text else "",
        created=_find_first_moment(row, "time_created", "started_at"),
        updated=_find_first_moment(row, "time_updated", "ended_at"),
        session=fit_line(row.get("id", "")),
        key=fit_line(row.get("id", "")),
        search=build_search_text(text, title, fit_line(row.get("directory", ""), 400)),
        extra=_collect_columns(row, "project", "directory", "agent"),
    )


_TABLES = (
    ("directives", parse_directive_row),
    ("observations", parse_observation_row),
    ("session_summaries", parse_summary_row),
    ("sessions", parse_session_row),
    ("session", parse_session_row),
)


def parse(source: Source) -> Parsed:
    """The memories of such a database, opened read-only; where it cannot be, a problem says why."""
    return parse_tables(source, _TABLES, _relate)


_GZIP = 31
"""zlib's window bits for data with a gzip header."""


def parse_packed(source: Source) -> Parsed:
    """A gzipped JSON object of such tables. The rows' numbers are one machine's, so that they go by what is shared."""
    view = RowsView(source.path, _TABLES)
    unpacking = zlib.decompressobj(_GZIP)
    try:
        with open(source.file, "rb") as opened:
            tables = json.loads(unpacking.decompress(opened.read(WHOLE), WHOLE))
    except OSError as error:
        return Parsed("", [], [Problem(source.path, 0, error.strerror or str(error))])
    except (zlib.error, ValueError, RecursionError):
        much = bool(unpacking.unconsumed_tail)
        reason = f"more than {WHOLE:,} bytes when unpacked" if much else "this is not gzipped JSON"
        return Parsed("", [], [Problem(source.path, 0, reason)])
    for name, made in _TABLES:
        rows = tables.get(name) if isinstance(tables, dict) else None
        if isinstance(rows, list) and rows:
            view.lines.append(f"# {name}")
            for row in rows:
                if isinstance(row, dict):
                    view.add_row(made, {**row, "id": row.get("sync_id") or row.get("id")})
    return Parsed("".join(f"{line}\n" for line in view.lines), view.entries, view.problems)


def _relate(view: RowsView, connection: apsw.Connection, have: dict[str, list[str]]) -> None:
    """What replaced what, and by which session of its agent something was noticed."""
    if "sdk_sessions" in have and "content_session_id" in have["sdk_sessions"]:
        ids = {
            str(row["memory_session_id"]): fit_line(row["content_session_id"])
            for row in iterate_rows(connection, "sdk_sessions", ["memory_session_id", "content_session_id"])
            if row.get("memory_session_id")
        }
        for entry in view.entries:
            entry.session = ids.get(entry.session, entry.session)
    relations = have.get("memory_relations", [])
    if {"source_id", "target_id", "relation"} <= set(relations) and "sync_id" in have.get("observations", []):
        keys = {
            str(row["sync_id"]): fit_line(row["id"])
            for row in iterate_rows(connection, "observations", ["id", "sync_id"])
        }
        made = {entry.key: entry for entry in view.entries}
        for row in iterate_rows(connection, "memory_relations", relations):
            old, new = (keys.get(str(row.get(name)), "") for name in ("target_id", "source_id"))
            if row.get("relation") == "supersedes" and row.get("judgment_status") == "judged" and old in made:
                made[old].status, made[old].superseded_by = Status.SUPERSEDED, new
