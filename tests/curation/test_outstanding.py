"""Open here, settled there; and what was written down a second time, a task or a passage of a day."""

from __future__ import annotations

from memtui.core.model import Layer, Memory
from memtui.review.contradictions import find_contradictions
from memtui.review.fields import find_copied_lines, find_copied_tasks
from tests.curation.facts_of import fact


def task(text: str, path: str = "BACKLOG.md", days: float | None = None, **more: object) -> Memory:
    made = fact(text, days, kind="todo", layer=Layer.KNOWLEDGE, path=path, **more)  # type: ignore[arg-type]
    made.extra = {"done": False}
    return made


def done(text: str, path: str = "STATE.md", days: float | None = None, **more: object) -> Memory:
    made = fact(text, days, kind="note", layer=Layer.KNOWLEDGE, path=path, **more)  # type: ignore[arg-type]
    made.extra = {"done": True}
    return made


def found(*others: Memory) -> list[tuple[str, str, str]]:
    return [(one.newer.text, one.older.text, one.reason) for one in find_contradictions((), others=others)]


def test_a_task_that_is_done_elsewhere() -> None:
    open_, shut = "Recipe details drawer (tap recipe to unfold)", "Tap any recipe → details drawer unfolds"
    assert found(task(open_), done(shut)) == [(shut, open_, "it is done there")]
    assert found(task("接入植物识别服务的离线缓存"), done("✅ 植物识别服务的离线缓存已接入"))


def test_a_task_that_a_ticked_heading_names() -> None:
    below = done("Rows can be dragged", heading=("State", "Phase 2: Pantry Board Upgrade ✅ COMPLETE (May 3)"))
    assert found(task("Phase 2: Pantry Board Upgrade"), below)
    assert not found(task("Phase 3: Pantry Board Upgrade"), below)


def test_a_task_that_a_day_s_note_or_a_plan_tells_as_done_without_a_box() -> None:
    note = fact("Added a `csp` meta tag to the shop page", 3, kind="note", path="memory/2026-02-26.md")
    assert found(task("Add a `csp` meta tag to the shop page", days=9), note)
    plan = fact("Phase 2\n✅ coarse filter (trend, volume, hour)", None, layer=Layer.KNOWLEDGE, path="STATE.md")
    assert found(task("Coarse filter (trend, volume)"), plan)
    # Not where a document tells how a thing is, nor much else, nor what came before, nor what waits still.
    page = fact("Added a `csp` meta tag to the shop page", None, layer=Layer.KNOWLEDGE, path="STATE.md")
    assert not found(task("Add a `csp` meta tag to the shop page"), page)
    assert not found(task("Add a `csp` meta tag to the shop page", days=1), note)
    for text in ("Added a `csp` meta tag, pending review", "Added tags to the shop's page of the week"):
        note.text = text
        assert not found(task("Add a `csp` meta tag to the shop page"), note)


def test_what_is_another_task() -> None:
    shut = done("Recipe details drawer unfolds on tap")
    assert not found(task("Recipe details drawer needs tests for Windows and a translation"), shut)
    # What was done before it was asked for, what is done in part, and the step of another plan.
    assert not found(task("Recipe details drawer", days=1), done("Recipe details drawer unfolds", days=5))
    assert not found(task("Recipe details drawer"), done("Recipe details drawer, translation pending"))
    assert not found(task("Recipe details drawer", "plan/a/tasks.md"), done("Recipe details drawer", "plan/b/tasks.md"))
    assert not found(task("Migrate `pantry_rows` to the new schema"), done("Migrate `recipe_rows` to the new schema"))
    # It stands beside it.
    under = {"heading": ("Plan",)}
    beside = done("Recipe details drawer", "BACKLOG.md", **under)  # type: ignore[arg-type]
    assert not found(task("Recipe details drawer", **under), beside)  # type: ignore[arg-type]


def test_that_a_document_was_updated_settles_no_other_update() -> None:
    assert not found(task("GREENHOUSE.md 更新"), done("✅ 更新 GREENHOUSE.md"))
    assert not found(task("Update GREENHOUSE.md"), done("✅ Updated GREENHOUSE.md"))


def test_two_words_and_a_repair_settle_nothing() -> None:
    # Two words of three, and what is to be looked at after it was mended.
    assert not found(task("Update the gardener profile"), done("✅ Greenhouse: gardener visits → profile pages"))
    mended = done("Fixed the seed catalogue import crash in the greenhouse")
    assert not found(task("Test the greenhouse seed catalogue import"), mended)
    assert found(
        task("Test the greenhouse seed catalogue import"),
        done("Tested: greenhouse seed catalogue import runs through"),
    )


def test_what_comes_back_is_another_one_each_day() -> None:
    day, next_day = "memory/2026-02-01.md", "memory/2026-02-02.md"
    assert not found(task("⏰ 植物识别推送 (10:00)", day), done("✅ 植物识别推送 (10:00)", next_day))
    under = {"heading": ("今日", "已执行任务")}
    assert found(task("⏰ 植物识别推送 (10:00)", day), done("✅ 植物识别推送 (10:00)", day, **under))  # type: ignore[arg-type]
    # An hour that comes first tells when it was noted.
    kept, page = task("Pantry digest of the week (Sundays)"), "memory/2026-02-02.md"
    assert not found(kept, done("✅ Pantry digest of the week (10:00), sent", page))
    assert found(kept, done("10:00 Pantry digest of the week, Sundays", page))
    assert not found(task("持续植物识别服务推送"), done("✅ 已设置植物识别服务推送"))
    assert not found(
        task("Keep the pantry digest of the week going"), done("✅ The pantry digest of the week is going")
    )
    hourly = task("2026-02-01 13:00 - hourly pantry digest of the week", "memory/2026-02-01.md")
    assert not found(hourly, done("✅ Hourly pantry digest of the week", "memory/2026-02-02.md"))
    each = [task("Check the pantry sensor readings", f"notes/{name}.md") for name in "abc"]
    assert not found(*each, done("Check the pantry sensor readings"))


def test_a_list_in_one_line_of_which_all_is_done() -> None:
    listing = fact(
        "[后续](left.md) — 待办：离线识别缓存、语音播报",
        None,
        kind="note",
        layer=Layer.CORE,
        path="MEMORY.md",
    )
    one = done("已创建缓存层", "left.md", heading=("后续", "~~1. 离线识别缓存~~ ✅ 已完成"))
    two = done("已接入播报", "left.md", heading=("后续", "~~2. 语音播报~~ ✅ 已完成"))
    # Given up as a whole, it would take along what is open.
    assert found(listing, one) == []
    assert found(listing, one, two) == [("已创建缓存层", listing.text, "“离线识别缓存、语音播报” is done there")]


def test_an_index_that_calls_a_page_unfinished() -> None:
    row = task("Pantry · keeps what is there · 🚧 in development · modules/pantry.md", "wiki/overview.md")
    row.extra = {"done": False}
    page = fact("**Status:** ✅ Stable", None, kind="summary", layer=Layer.KNOWLEDGE, path="wiki/modules/pantry.md")
    assert found(row, page) == [(page.text, row.text, "its own page says that it is done")]
    page.text = "**Status:** 🚧 in development"
    assert not found(row, page)


def test_what_is_to_be_added_and_described_as_being_there() -> None:
    task_ = task("2.1 在 `server/pantry.py` 新增 `PantryShelf` 与 `PantryLabel`", "plan/shelves/tasks.md")
    page = fact(
        "**领域模型**：`server/pantry.py`（`PantryShelf` / `PantryLabel`）",
        None,
        kind="note",
        path="wiki/server.md",
    )
    page.layer = Layer.KNOWLEDGE
    assert found(task_, page) == [(page.text, task_.text, "it is described there as being so")]
    assert not found(task("2.1 检查 `server/pantry.py` 的 `PantryShelf`", "plan/shelves/tasks.md"), page)
    # What something is added to is there before.
    assert not found(task("Add a check for `server/pantry.py` and `PantryShelf`", "plan/shelves/tasks.md"), page)
    page.text = "**领域模型**：`server/pantry.py`（`PantryShelf`）"
    assert not found(task_, page)
    page.text = "`server/pantry.py`：`PantryShelf` / `PantryLabel` 待实现"
    assert not found(task_, page)
    # A plan tells what is wanted, too, and a workflow what is done time and again.
    page.text = "`server/pantry.py`（`PantryShelf` / `PantryLabel`）"
    for path in ("plan/shelves/why.md", ".agent/workflows/shelves.md"):
        page.path = path
        assert not found(task_, page)


def test_a_page_of_no_project_speaks_for_all_and_a_project_for_itself() -> None:
    one, two = task("Recipe details drawer", "a/todo.md"), done("Recipe details drawer unfolds", "b/state.md")
    for mine, theirs, count in (("a", "", 1), ("a", "a", 1), ("a", "b", 0), ("", "b", 0)):
        names = {one.id: mine, two.id: theirs}
        assert len(find_contradictions((), lambda memory, of=names: of[memory.id], (one, two))) == count  # type: ignore[misc]


def test_what_a_heading_ticks_off_by_its_name() -> None:
    below = fact(
        "Rows are kept for a week", None, kind="note", layer=Layer.KNOWLEDGE, path="night.md",
        heading=("Night", "Agent B: Pantry Locking ✅"),
    )  # fmt: skip
    listed = fact(
        "Pantry locking (labels, shelves)", None, kind="note", layer=Layer.KNOWLEDGE, path="plan.md",
        heading=("Pantry", "Nächste Schritte"),
    )  # fmt: skip
    assert found(task("Pantry locking of shelves"), below) and found(listed, below)
    assert not found(task("Pantry board"), below)
    # The card says what is done: what stands below the heading does not. What is to be looked at is another task.
    assert found(task("Pantry locking of shelves"), below)[0][2] == "“Agent B: Pantry Locking ✅” is done there"
    assert not found(task("Test and tune the pantry locking"), below)
    assert not found(task("Pantry locking for invited guests behind the cellar bar"), below)
    assert not found(task("Recipe editor of the WebUI"), done("✅ Recipe editor of the desk"))
    assert not found(task("优化植物识别服务的离线缓存"), done("✅ 植物识别服务的离线缓存已接入"))
    assert not found(task("Hooks pantry.sh and cellar.sh of the kitchen"), done("✅ Hook pantry.sh of the kitchen"))
    # What is ready is not done yet, and what was written is not posted.
    digest = task("Record the pantry digest of the week")
    assert not found(digest, done("✅ Pantry digest of the week: outline, ready to record"))
    assert not found(digest, done("✅ Pantry digest of the week is written"))
    assert found(digest, done("✅ Pantry digest of the week recorded"))
    assert not found(task("高优先级：植物识别服务、离线缓存"), done("✅ 植物识别服务、离线缓存"))
    # It tells of what is so, not of what is still to be done.
    told = fact(
        "Pantry locking (labels, shelves)", None, kind="note", layer=Layer.KNOWLEDGE, path="plan.md",
        heading=("Pantry", "Features"),
    )  # fmt: skip
    assert not found(told, below)


def test_a_field_and_a_closing_line_settle_nothing() -> None:
    under = {"heading": ("State", "Recently Completed ✅")}
    for text in ("**Recipe drawer**: details, unfolds", "*Recipe details drawer logged by Ada*"):
        assert not found(task("Recipe details drawer"), done(text, **under))  # type: ignore[arg-type]
    assert not found(task("Recipe details drawer", days=1), done("✅ Recipe details drawer unfolds since 2026-01-01"))


def test_a_forms_questions_and_what_a_ticked_heading_leads_to_are_no_matter() -> None:
    shut = done("Recipe details drawer unfolds on tap")
    assert not found(task("Recipe details drawer unfolds on tap?"), shut)
    assert not found(task("Recipe details drawer unfolds on tap", "docs/RELEASE_CHECKLIST.md"), shut)
    assert not found(task("Recipe details drawer"), done("✅ Recipe details drawer? → yes, it unfolds"))
    heading = {"heading": ("Log", "Recipe importer running ✅")}
    lead = task("Next steps:", "STATE.md", **heading)  # type: ignore[arg-type]
    below = done("Recipe details drawer unfolds", **heading)  # type: ignore[arg-type]
    lead.reach = lead.end = below.start
    assert not found(task("Recipe details drawer"), lead, below)


def test_a_tick_that_says_what_is_right_is_no_task_done() -> None:
    rule = done("✅ Recipe details drawer unfolds on tap", heading=("Rules",))
    assert not found(task("Recipe details drawer unfolds on tap"), rule)
    wish = done("✅ Recipe details drawer unfolds on tap", heading=("The kitchen works if you:",))
    assert not found(task("Recipe details drawer unfolds on tap"), wish)


def test_a_tick_beside_what_is_not_to_be_done_is_a_rule() -> None:
    shelf = ("Garden", "How seeds are sorted")
    ticked = fact("✅ 以种子包上的名称为准", None, layer=Layer.CORE, path="MEMORY.md", heading=shelf)
    ticked.extra = {"done": True}
    dont = fact("❌ 不编造种子的名称", None, layer=Layer.CORE, path="MEMORY.md", heading=shelf)
    failed = fact("❌ 第二批种子发芽失败", None, layer=Layer.CORE, path="MEMORY.md", heading=shelf)
    wanted_ = task("以种子包上的名称为准")
    assert found(wanted_, ticked, failed)
    assert not found(wanted_, ticked, dont)


def test_of_a_list_each_line_is_done_by_itself() -> None:
    shut = done("✅ Recipe pages\n- the drawer unfolds\n- ingredients are sorted by pantry shelf")
    assert not found(task("Recipe drawer for the pantry"), shut)


def test_what_tells_of_much_else_or_of_something_without_its_initials_settles_nothing() -> None:
    task_, told = (
        "Design the pantry layout (shelves, doors, lights)",
        (
            "A real kitchen proposal with shelves, doors, lights, ovens on three sides, a bar for guests, a cellar for"
            " the wine, parking in the yard and a garden for herbs, drawn in one evening by the team"
        ),
    )
    assert not found(task(task_), done(told))
    assert not found(task("Help the baker to finish the EA change"), done("The baker has finished the change"))
    assert found(task("Finish the EA change of the baker"), done("The baker has finished the EA change"))


def test_what_no_box_calls_open_is_settled_by_its_own_words_alone() -> None:
    loose = task("Greenhouse inventory scanner for the pantry")
    loose.extra = {}
    assert found(loose, done("Created the greenhouse inventory scanner for the pantry"))
    assert not found(loose, done("✅ Greenhouse inventory scanner answers in two seconds on the old phone"))
    # What lies in a section that is ticked off may wait there.
    waiting = done("Ask again about the greenhouse inventory scanner in the pantry", heading=("Log", "Done ✅"))
    assert not found(task("Ask again about the greenhouse inventory scanner in the pantry"), waiting)
    # What two brackets name is two things.
    assert not found(
        task("Pages of the seed catalogue (overview, models)"),
        done("✅ Pages of the seed catalogue (MatchPage.tsx)"),
    )


def written(text: str, start: int, path: str = "memory/2026-03-04.md", created: float | None = 1.0) -> Memory:
    made = fact(text, created, kind="note", path=path)
    made.start = made.end = start
    return made


def test_a_passage_that_stands_in_a_day_twice_is_told_line_by_line() -> None:
    passage = ["The kiln was fired to 1240", "Two bowls cracked on the lower shelf", "Glaze B ran down again"]
    again = [written(text, 3 + at) for at, text in enumerate(passage)]
    again += [written(text, 20 + at) for at, text in enumerate(passage)]
    found = list(find_copied_lines(again))
    assert [(one.start, two.start) for one, two in found] == [(3, 20), (4, 21), (5, 22)]
    # Between them stands much that is told once: only some lines of two rounds are alike.
    once = [written(f"Shelf {number} holds plates for the market", 3 + number) for number in range(8)]
    spread = [written(text, 2 + 4 * at) for at, text in enumerate(passage)]
    spread += [written(text, 40 + 4 * at) for at, text in enumerate(passage)]
    assert not list(find_copied_lines([*once, *spread]))


def test_one_line_that_comes_back_at_another_hour_is_no_copy() -> None:
    said = "The whole status is unchanged: the kiln waits for its new thermostat, the glaze order is on its way"
    assert len(list(find_copied_lines([written(said, 3), written(said, 30)]))) == 1
    assert not list(find_copied_lines([written(said, 3), written(said, 30, created=2.0)]))
    assert not list(find_copied_lines([written(said, at) for at in (3, 30, 60)]))
    assert not list(find_copied_lines([written(said, at, path="memory/2026-03-04-kiln.md") for at in (3, 30)]))


def wanted(text: str, path: str, *heading: str) -> Memory:
    return fact(text, None, kind="todo", layer=Layer.KNOWLEDGE, path=path, heading=heading)


def test_an_open_task_that_two_lists_have() -> None:
    task = "Ask the potters' guild about the shared kiln (since 2026-03-01)"
    lists = [wanted(task, "PENDING.md"), wanted(task, "memory/context/open.md")]
    assert len(list(find_copied_tasks(lists))) == 1
    assert not list(find_copied_tasks([*lists, wanted(task, "memory/third.md")]))
    assert not list(find_copied_tasks([wanted(task, "a/tasks.md"), wanted(task, "b/tasks.md")]))
    assert not list(find_copied_tasks([wanted(task, "a.md", "Now"), wanted(task, "a.md", "Now")]))
    assert not list(find_copied_tasks([wanted(task, "HEARTBEAT.md"), wanted(task, "a.md")]))


def test_tasks_of_two_lists_by_their_names() -> None:
    names = ["Glaze catalogue", "Clay order", "Kiln log"]
    lists = [wanted(f"**{name}** — pictures and prices", "plans.md", "Wishes") for name in names]
    lists += [wanted(f"{name} — a page for each, with a search", "plans.md", "Planned") for name in names]
    assert len(list(find_copied_tasks(lists))) == 3
    # One short name that two lists have in common is a word for many things.
    assert not list(find_copied_tasks([lists[1], lists[4]]))
