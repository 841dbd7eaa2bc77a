"""`memtui search`: the command that agents and people call most."""

from __future__ import annotations

from memtui.cli import render
from memtui.cli.opening import confirm_answer, format_place, load_settings, open_vault
from memtui.cli.options import EVERYWHERE, LAYER, NARROW, Argument, Command, CommandOption, build_filter
from memtui.core import clock
from memtui.core.errors import UnavailableError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Results
from memtui.core.startup import TYPE_CHECKING, Any
from memtui.layouts.home_config import explain_switched_off
from memtui.search import ASIDE_ROLES, build_search_document, describe_hidden, group_hits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.model import Hit, Home


def run(
    query: tuple[str, ...],
    *,
    mode: str | None,
    fusion: str | None,
    explain: bool,
    max_results: int | None,
    min_score: float | None,
    home: tuple[str, ...],
    as_json: bool,
    **narrow: Any,
) -> int:
    """Search, print the hits, answer 0, or 1 where nothing matches."""
    wanted = build_filter(**narrow)
    config = load_settings(warn=not as_json)
    warning = off = ""
    try:
        with open_vault(home, wait=False, config=config, shared=True) as opened:
            off = _explain_off(opened.homes)

            def find() -> Results:
                """The hits of the command's query, with their ids where they are printed as JSON."""
                results = opened.find(
                    " ".join(query),
                    max_results or opened.max_results,
                    filter=wanted,
                    mode="fts" if mode == "bm25" else mode or "",
                    fusion=fusion or "",
                    min_score=min_score,
                    grouped=not as_json,
                )
                if as_json:
                    opened.identify(results)
                return results

            results = Results() if off and as_json else confirm_answer(opened, find)
            root = str(opened.homes[0].path) if opened.homes else ""
            if not opened.homes:
                warning = _("no memory home was found here; `memtui help homes` says where memtui looks")
    except UnavailableError as error:
        if not as_json:
            raise
        render.print_document({"results": [], "disabled": True, "backend": "none", "root": "", "warning": str(error)})
        return error.exit_status
    if off and as_json:
        told = {"results": [], "disabled": True, "backend": "none", "root": root, "warning": off}
        render.print_document(told)
        return UnavailableError.exit_status
    warning = "; ".join(part for part in (warning, off, results.warning) if part)
    if as_json:
        places = {hit.key: number for number, hit in enumerate(results)}
        groups = [[places[hit.key] for hit in group] for group in group_hits(results)]
        render.print_document({**build_search_document(results, root, warning), "groups": groups})
    else:
        _print(results, warning, explain)
    return 0 if results else 1


def _explain_off(homes: Sequence[Home]) -> str:
    """Why this project's memory is switched off, as agents are told; empty: it is not. A person may look anyway."""
    mine = [home for home in homes if home.current or len(homes) == 1]
    told = [explain_switched_off(home) for home in mine]
    return told[0] if told and all(told) else ""


def _print(results: Results, warning: str, explain: bool) -> None:
    limit = render.count_columns()
    for route in results.routes:
        place = render.make_safe_line(route.command or format_place(route.home, route.path))
        told = _("{place}: '{trigger}' leads here ({source})")
        line = told.format(
            place=place, trigger=render.make_safe_line(route.trigger), source=render.make_safe_line(route.source)
        )
        render.print_remark(line)
    # Filters alone give a list, which is in the order of time.
    for group in group_hits(results) if results.documents else [[hit] for hit in results]:
        _print_hit(group[0], results, explain, limit)
        for hit in group[1:]:
            _print_line_inside(hit, results, explain, limit)
        if more := sum(hit.others for hit in group) if results.documents else 0:
            told = _n("+{count} line", "+{count} lines", more).format(count=f"{more:,}")
            render.print_line("    " + render.paint(told, render.DIM))
    _print_remarks_of(results, warning)


def _print_hit(hit: Hit, results: Results, explain: bool, limit: int | None) -> None:
    """A document with its best line, or a memory that stands in none; `limit`: cells of the terminal, if it is one."""
    place = render.make_safe_line(format_place(hit.home, hit.path, hit.start_line))
    shared = results.origins.get(hit.home)
    if limit is None:
        kind = ", ".join(filter(None, [hit.kind, _tell_meant(hit, results), shared and shared.told]))
        render.print_line(f"{place}: [{render.make_safe_line(kind)}] {render.make_safe_line(hit.snippet)}")
        if explain:
            render.print_line(f"  {render.make_safe_line(_explain_score(hit))}")
        return
    meant = _tell_meant(hit, results)
    told_of = [shared and shared.told, meant, hit.kind, clock.format_age(hit.time), _format_status(hit)]
    about = render.make_safe_line("  ".join(filter(None, told_of)))
    # Whose it is stays, though the place of a copy is long.
    place = render.fit(place, limit - (render.count_line_cells(about) + 2 if shared else 0))
    gap = limit - render.count_line_cells(place) - render.count_line_cells(about)
    render.print_line(
        render.paint(place, render.CYAN) + (" " * min(2, gap) + render.paint(about, render.DIM) if gap >= 2 else "")
    )
    render.print_line("  " + mark_snippet(hit.snippet, hit.marks, limit - 2))
    if explain:
        told = render.fit(render.make_safe_line(_explain_score(hit)), limit - 2)
        render.print_line("  " + render.paint(told, render.DIM))


def _tell_meant(hit: Hit, results: Results) -> str:
    """Where words were asked as well: that none of them stands in this one."""
    return _("by meaning") if hit.meant and "hybrid" in results.backend else ""


def _print_line_inside(hit: Hit, results: Results, explain: bool, limit: int | None) -> None:
    """Another line of the document above it."""
    told = render.make_safe_line(_explain_score(hit))
    if limit is None:
        # Whole places: what reads this need not look above.
        place = render.make_safe_line(format_place(hit.home, hit.path, hit.start_line))
        kind = render.make_safe_line(", ".join(filter(None, [hit.kind, _tell_meant(hit, results)])))
        snippet = render.make_safe_line(hit.snippet)
        render.print_line(f"  {place}: [{kind}] {snippet}")
        if explain:
            render.print_line(f"    {told}")
        return
    place = f":{hit.start_line}"
    room = limit - 5 - render.count_line_cells(place)
    render.print_line(f"    {render.paint(place, render.CYAN)} {mark_snippet(hit.snippet, hit.marks, room)}")
    if explain:
        render.print_line("    " + render.paint(render.fit(told, limit - 4), render.DIM))


def _explain_score(hit: Hit) -> str:
    """'score 0.71 = words 0.42 (#3) + neighbours 0.05 · meaning 0.86 (#1) · pytest, 偏好 · heading 偏好'."""
    parts = hit.parts
    told = [_("score {score:.2f}").format(score=hit.score)]
    if parts.words or parts.word_rank:
        told.append(_format_ranked(_("words {score:.2f}").format(score=parts.words), parts.word_rank))
    if parts.neighbours >= 0.005:
        told.append(_("lines around it {score:.2f}").format(score=parts.neighbours))
    if parts.meaning is not None:
        told.append(_format_ranked(_("meaning {score:.2f}").format(score=parts.meaning), parts.meaning_rank))
    if parts.recency:
        told.append(_("new {score:.2f}").format(score=parts.recency))
    told += filter(None, (parts.recalled, hit.why))
    return " · ".join(told)


def _format_ranked(text: str, rank: int | None) -> str:
    return text if rank is None else _("{text} (no. {rank})").format(text=text, rank=rank)


def _format_status(hit: Hit) -> str:
    return "" if hit.status.value == "active" else hit.status.value


def _print_remarks_of(results: Results, warning: str) -> None:
    hidden = sum(results.hidden.values())
    holding = sum(results.hidden.get(status, 0) for status in Filter().statuses)
    shown = len(group_hits(results))
    if results.documents > shown:
        about = _("{shown} of {documents} documents, {total}{more} matches; --max-results shows more").format(
            shown=shown,
            documents=f"{results.documents:,}",
            total=f"{results.total:,}",
            more="+" if results.more else "",
        )
        render.print_remark(about)
    elif results and not results.documents and results.total > len(results):
        about = _("{shown} of {total}{more}; --max-results shows more").format(
            shown=len(results), total=f"{results.total:,}", more="+" if results.more else ""
        )
        render.print_remark(about)
    if not results:
        render.print_remark(_("Nothing matches."))
    if results.blocked:
        render.print_remark(render.make_safe_line(results.blocked) + ".")
    if results.distant:
        render.print_remark(
            _("Only distant matches: nothing here is nearer to the question than chance would have it.")
        )
    if results.suggestion:
        render.print_remark(_("Did you mean: {query}").format(query=render.make_safe_line(results.suggestion)))
    if told := describe_hidden(results.hidden):
        render.print_remark(_("Left out: {aside}").format(aside=told))
        hidden -= sum(results.hidden.get(status, 0) for status in ASIDE_ROLES)
    if hidden and holding:
        # Who asks for what no longer holds is not told that the rest does not hold either.
        render.print_remark(
            _n(
                "{count} more has another status; --status all shows it",
                "{count} more have another status; --status all shows them",
                hidden,
            )
        )
    elif hidden:
        render.print_remark(
            _n(
                "{count} more is superseded, archived, deleted or expired; --status all shows it",
                "{count} more are superseded, archived, deleted or expired; --status all shows them",
                hidden,
            )
        )
    if warning:
        render.print_remark(_("note: {warning}").format(warning=warning))


def mark_snippet(snippet: str, marks: Sequence[tuple[int, int]], limit: int) -> str:
    """A snippet on one line of the terminal, around its first match, matches in bold."""
    pieces: list[tuple[str, bool]] = []
    done = 0
    for start, end in sorted(marks):
        if start < done or end <= start or start >= len(snippet):
            continue
        pieces += [(snippet[done:start], False), (snippet[start:end], True)]
        done = end
    pieces.append((snippet[done:], False))
    safe = [(render.make_safe_line(text), found) for text, found in pieces if text]
    if safe and not safe[0][1] and sum(render.count_line_cells(text) for text, _found in safe) > limit:
        # The match must be seen; what stands in front of it gives way.
        room = limit // 3
        head = safe[0][0]
        if render.count_line_cells(head) > room:
            tail = render.fit(head[::-1], room)[::-1]
            safe[0] = (tail, False)
    out: list[str] = []
    for text, found in safe:
        if limit <= 0:
            break
        piece = render.fit(text, limit)
        limit -= render.count_line_cells(piece)
        out.append(render.paint(piece, render.BOLD, render.YELLOW) if found else piece)
        if piece != text:
            break
    return "".join(out)


COMMAND = Command(
    "search",
    "Find memories by words and, where they have vectors, by meaning, best first.\n\n"
    'Chinese works down to one character. "A phrase" in quotes is matched as it stands, or by its words where nothing '
    "holds it; -word leaves out; put -- before a query that begins with a dash. Filters may stand among the words: "
    "layer: kind: home: project: who: status: role: since: until: expiring: path: tag:, with a comma for several and "
    "a dash to leave out (-kind:todo). Superseded, archived, deleted and expired memories are left out unless --status "
    "asks for them.",
    run,
    (Argument("query", required=True, many=True),),
    (
        CommandOption(
            ("--mode",),
            "How to search; the default is the config's (auto: hybrid where there are vectors, else fts, else scan). "
            "hybrid and vector need vectors (`memtui index` makes them), and say so where there are none; "
            "bm25 is another word for fts.",
            choices=("auto", "hybrid", "fts", "bm25", "vector", "scan"),
        ),
        CommandOption(
            ("--fusion",),
            "How hybrid puts words and meaning together (config: zscore).",
            choices=("zscore", "rrf", "weighted"),
        ),
        CommandOption(("--explain",), "Say of every hit what its score is made of, and its ranks.", "flag"),
        LAYER,
        *NARROW,
        CommandOption(
            ("--max-results", "--limit", "-n"),
            "How many documents at most, each with its best lines; with --json, how many hits (config: 10).",
            "int",
            least=1,
            metavar="N",
        ),
        CommandOption(
            ("--min-score",),
            "Leave out what scores less, 0 to 1: by words, of the best that the query could have; by meaning, the "
            "cosine; by both, from 0.5 for what is no nearer than any memory.",
            "float",
            least=0,
            metavar="X",
        ),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 found, 1 nothing found, 2 wrong use, 4 could not.",
)
