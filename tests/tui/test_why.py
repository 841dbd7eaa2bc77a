"""Why a hit is there, what answered, how it is asked otherwise, and documents that rules lead to."""

from __future__ import annotations

import pytest

from memtui.core.model import Filter, Hit, Layer, Parts, Results, Route, Status
from memtui.search import group_hits, inline
from memtui.tui.panes import search_answers
from memtui.tui.row_list import Rows
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import SHOP, FakeVault
from tests.tui.test_search import search, status

MODEL = "multilingual-e5-small, 4 bit"


def meant(words: Results) -> Results:
    """The other way round, as if meaning had its own opinion; two of three memories have a vector."""
    found = Results(
        [
            hit._replace(
                score=0.8 - at / 10,
                parts=Parts(0.4, 0.05, 0.86, len(words) - at, at + 1, recency=0.02, recalled="names JWT"),
            )
            for at, hit in enumerate(reversed(words))
        ]
    )
    found.backend, found.fusion, found.model, found.covered = "hybrid", "zscore", MODEL, (812, 3204)
    found.total, found.hidden = len(found), dict(words.hidden)
    return found


def some_vectors(vault: FakeVault) -> None:
    vault.meant = meant
    vault.states = {str(SHOP.path): {"vectors": 812, "vectors_total": 3204, "model": MODEL}}


def titles(desk: Desk) -> str:
    return next(line for line in desk.lines() if "Search ·" in line)


def rows(desk: Desk) -> Rows:
    found = desk.main.pane.rows()
    assert found is not None
    return found


def beside(desk: Desk) -> str:
    detail = desk.main.pane.detail()
    assert detail is not None
    return " ".join(" ".join("".join(text for text, _style in line) for line in detail._lines).split())


def texts(desk: Desk) -> list[str]:
    return [hit.snippet for hit in rows(desk).items]


async def test_words_answer_first_and_the_whole_answer_takes_their_place_calmly(vault: FakeVault) -> None:
    some_vectors(vault)
    async with running(vault) as desk:
        await search(desk, "e")
        words = list(desk.main.pane.results)  # type: ignore[attr-defined]
        assert len(texts(desk)) > 2
        assert "· words …" in titles(desk)
        vault.refine()
        await desk.settled()
        best = group_hits(words[::-1])
        assert texts(desk) == [group[0].snippet for group in best]
        assert rows(desk).current.snippet == words[-1].snippet
        assert "· words · meaning 25 %" in titles(desk)
        assert rows(desk).cursor == 0
        # The next letter: what answers does not change its name to and fro.
        await search(desk, "to")
        assert "words · meaning 25 % …" in titles(desk)
        await desk.press("down")
        here = rows(desk).current.key
        vault.refine()
        await desk.settled()
        assert rows(desk).current.key == here


async def test_a_hit_in_which_no_word_stands_says_so_and_the_title_how_many(vault: FakeVault) -> None:
    def mixed(words: Results) -> Results:
        found = meant(words)
        # The word stands in the first; the others are near in meaning only.
        found[1:] = [hit._replace(parts=Parts(0.0, 0.0, 0.6, None, 2 + at)) for at, hit in enumerate(found[1:])]
        found.covered = (3204, 3204)
        return found

    some_vectors(vault)
    vault.meant = mixed
    async with running(vault) as desk:
        await search(desk, "e")
        assert not any("by meaning" in line for line in desk.lines()[4:])
        vault.refine()
        await desk.settled()
        found = desk.main.pane.results  # type: ignore[attr-defined]
        assert f"· 1 by words, {len(found) - 1} by meaning only" in titles(desk)
        begins = [at for at, line in enumerate(desk.lines()) if "│" in line and "by meaning " in line]
        groups = group_hits(found)
        first = next(at for at, line in enumerate(desk.lines()) if "Search ·" in line) + 1
        assert not groups[0][0].meant and all(group[0].meant for group in groups[1:])
        assert begins[:4] == list(range(first + 3, first + 11, 2))


async def test_where_meaning_found_every_row_none_says_so(vault: FakeVault) -> None:
    def all_meant(words: Results) -> Results:
        found = meant(words)
        found[:] = [hit._replace(parts=Parts(0.0, 0.0, 0.6, None, 1 + at)) for at, hit in enumerate(found)]
        return found

    some_vectors(vault)
    vault.meant = all_meant
    async with running(vault) as desk:
        await search(desk, "e")
        vault.refine()
        await desk.settled()
        found = desk.main.pane.results  # type: ignore[attr-defined]
        assert len(found) > 1 and all(hit.meant for hit in found)
        assert not any("by meaning" in line for line in desk.lines()[4:])


async def test_an_answer_that_changes_nothing_draws_nothing(
    vault: FakeVault, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await search(desk, "token")
    shown: list[object] = []
    monkeypatch.setattr(type(rows(desk)), "show", lambda *args, **more: shown.append(args))
    vault.change(vault.memories_)
    await desk.settled()
    assert vault.queries == ["token", "token"]
    assert not shown


async def test_what_changed_on_disk_is_asked_in_full_so_that_rows_do_not_jump(vault: FakeVault) -> None:
    some_vectors(vault)
    async with running(vault) as desk:
        await search(desk, "token")
        vault.refine()
        await desk.settled()
        after = texts(desk)
        vault.change(vault.memories_)
        await desk.settled()
        assert texts(desk) == after
        assert "…" not in titles(desk).partition("╮")[0]


async def test_why_follows_the_cursor_and_escape_leaves_it(vault: FakeVault) -> None:
    some_vectors(vault)
    async with running(vault) as desk:
        assert "why" not in desk.lines()[-1]
        await desk.press("ctrl+y")
        assert desk.main.view == "search"
        await search(desk, "token kind:fact")
        vault.refine()
        await desk.settled()
        await desk.press("ctrl+y")
        text = " ".join(desk.text().split())
        for told in (
            "Why · ", "strength ████████ (1 / ", "by words ████ no. 1", "by meaning ████████▋ no. 1", "around it ▌ the",
                "names JWT", "new ▎",
            "kind:fact", "words and meaning (hybrid)", "zscore: ", MODEL[:12], "by meaning 25 %", "1 superseded",
        ):  # fmt: skip
            assert told in text, told
    # With a list of one hit or more, the next one is explained as soon as the cursor is there.
    async with running(vault) as desk:
        await search(desk, "e")
        await desk.press("ctrl+y", "down")
        path = rows(desk).current.path
        assert f"Why · {path}"[:20] in desk.text()
        await desk.press("escape")
        assert "Why ·" not in desk.text()
        assert desk.main.view == "search"
        await desk.press("ctrl+y", "ctrl+y")
        assert "Why ·" not in desk.text()
        memory = desk.memory()
        assert memory.path == path


async def test_without_room_beside_the_hits_why_has_the_screen(vault: FakeVault) -> None:
    async with running(vault, (50, 20)) as desk:
        await search(desk, "token")
        await desk.press("ctrl+y")
        assert "by words" in desk.text()
        await desk.press("escape", "escape")
        assert "Search ·" in desk.text()


async def test_the_mode_goes_round_for_this_session(vault: FakeVault) -> None:
    some_vectors(vault)
    async with running(vault) as desk:
        await search(desk, "token")
        await desk.press("ctrl+t")
        assert vault.asked[-1][0] == "fts"
        assert "· words only" in titles(desk)
        assert "asked by words only" in status(desk)
        await desk.press("ctrl+t")
        assert vault.asked[-1][0] == "vector"
        # Nothing by words in between.
        assert texts(desk)[0] != ""
        await desk.press("ctrl+t")
        assert vault.asked[-1][0] == "auto"
        vault.refine()
        await desk.settled()
        desk.main.do("search.fusion")
        await desk.settled()
        assert vault.asked[-1] == ("auto", "rrf")
        assert "(rrf)" in status(desk)
        await desk.press("escape", "2")
        assert "(rrf)" not in status(desk), "what was said of Search stays in Search"


async def test_without_vectors_the_key_says_why(vault: FakeVault, desk: Desk) -> None:
    await search(desk, "token")
    await desk.press("ctrl+t")
    assert "by words only: finding by meaning is switched off" in status(desk)
    assert vault.asked[-1][0] == "auto"
    vault.states = {str(SHOP.path): {"embedding": True, "vectors_total": 9}}
    await desk.press("ctrl+t")
    assert "they are being made" in status(desk)


async def test_documents_that_rules_lead_to_stand_above_the_hits(vault: FakeVault) -> None:
    path = "areas/projects/shop/summary.md"
    here = Route(str(SHOP.path), path, "令牌", "rules/memory-loader.md:7")
    vault.routes = (here, *(here._replace(path=f"docs/{number}.md") for number in range(1, 6)))
    vault.files[str(SHOP.path), path] = "# 商店\n\n令牌与登录\n"
    async with running(vault) as desk:
        pane = await search(desk, "token")
        assert f"→ shop  {path}" in desk.text()
        assert "'令牌' (rules/memory-loader.md:7)" in desk.text()
        assert isinstance(rows(desk).current, Hit)
        assert pane.place() == "1 / 1"
        assert "docs/2.md" in desk.text()
        assert "docs/5.md" not in desk.text()
        await desk.press("ctrl+y")
        assert "docs/5.md" in beside(desk)
        await desk.press("escape", "up", "up", "up")
        assert "令牌与登录" in desk.text()
        assert pane.memory() is None
        await desk.press("enter")
        assert desk.app.screen is not desk.main
        assert "令牌与登录" in desk.text()
        await desk.press("escape")
        # Where nothing else is found, it is still there.
        await search(desk, "nosuchword")
        assert path in desk.text()
        assert "Nothing matches, in 2 homes." in status(desk)


def test_a_listed_memory_says_that_it_only_passed_the_filters() -> None:
    hit = Hit("/h", "a.md", 1, 1, 0.0, "text", Layer.KNOWLEDGE, "fact", "")
    typed = inline.parse_inline_filters("kind:fact", Filter(), ())
    lines = search_answers.draw_hit_explanation(hit, Results([hit]), typed, "1 / 1", 60)
    told = " ".join(text for line in lines for text, _style in line)
    assert "it passes the filters; newest first" in told
    assert "by words" not in told


def test_what_filters_left_out_is_counted() -> None:
    found = Results()
    found.hidden = {Status.SUPERSEDED: 12, Status.EXPIRED: 3}
    assert search_answers.describe_hidden(found) == "12 superseded, 3 expired"


async def test_the_header_tells_how_far_the_vectors_are_while_they_are_made(vault: FakeVault) -> None:
    making = {"vectors": 340, "vectors_total": 1000, "model": MODEL, "embedding": True}
    vault.states = {str(SHOP.path): making}
    async with running(vault) as desk:
        assert "meaning 34 %" in desk.lines()[0]
        assert " finds words and meaning " in desk.lines()[0]
        await desk.press("6")
        assert "meaning 34 %" in desk.lines()[4]
        assert "by meaning 34 %" in beside(desk)
        assert MODEL in beside(desk)
    vault.states = {str(SHOP.path): making | {"vectors": 1000, "embedding": False}}
    async with running(vault) as desk:
        assert "meaning 34 %" not in desk.lines()[0]
        await desk.press("6")
        assert "all memories" in beside(desk)


async def test_health_says_why_nothing_is_found_by_meaning(desk: Desk) -> None:
    await desk.press("6")
    assert "finds words  " in desk.lines()[0]
    assert "finding by meaning is switched off" in beside(desk)
