"""What the agent says at the end of a piece of work counts; what it offers, plans or masks does not."""

from __future__ import annotations

import pytest

from memtui.core.model import Turn
from memtui.language import summary
from memtui.language.conversation import Conversation, Extract, Session, Step
from memtui.language.items import MOST, count_characters, limit_extract
from memtui.language.sentences import find_shapes, split
from memtui.language.work import is_reference

SESSION = Session("s1", "claude-code", "/home/ann/shop", "shop", "shop")
EDIT = "/home/ann/shop/app/a.py"


def told(*said: str, edited: bool = True) -> Conversation:
    """The person and the agent by turns; files are changed before each answer."""
    turns = tuple(
        Turn("assistant" if number % 2 else "user", text, None, 10 * number + 1) for number, text in enumerate(said)
    )
    steps = tuple(Step("Edit", turn.line - 1, files=(EDIT,), writes=True) for turn in turns if turn.role == "assistant")
    return Conversation(SESSION, turns, steps if edited else ())


@pytest.mark.parametrize(
    ("prompt", "answer", "kept"),
    [
        ("Make the search box fuzzy", "The search box is fuzzy now, Fuse.js with threshold 0.3.", "Fuse.js"),
        (
            "Links should expire",
            "Great, all set. Share links expire after 90 days, filtered on read.",
            "90 days",
        ),
        (
            "退款成功后发短信",
            "短信可以直接发，也可以走消息队列。退款短信通知走 RabbitMQ，失败重试 3 次。",
            "RabbitMQ",
        ),
        ("网关也要验签", "好的。网关的验签密钥分开存放，每 24 小时重新加载。", "24 小时"),
    ],
)
def test_the_statement_that_closes_a_piece_of_work(prompt: str, answer: str, kept: str) -> None:
    (done,) = summary.extract(told(prompt, answer)).done
    assert kept in done
    assert "也可以" not in done


@pytest.mark.parametrize(
    "answer",
    [
        "Should I also rename the table?",
        "Two options: a cache or a queue.",
        "I'll look at the tests next.",
        "Here is what I changed:",
        "要不要我继续？",
    ],
)
def test_what_is_none(answer: str) -> None:
    assert summary.extract(told("Rename the type", answer)).done == ("Changed a.py",)


def test_of_many_pieces_the_last_are_told() -> None:
    said = [text for name in "abcdefgh" for text in (f"Move {name}", f"The {name}-importer reads from its own queue.")]
    assert (
        summary.extract(told(*said, "And the last", "The scheduler runs on timers only."))
        .done[-1]
        .startswith("The sch")
    )


def test_nothing_outside_the_project_is_said_to_have_changed() -> None:
    step = Step("Write", 2, files=("/tmp/x",), writes=True)
    assert summary.extract(Conversation(SESSION, (Turn("user", "Try it", None, 1),), (step,))).done == ()


def test_a_session_without_a_word() -> None:
    assert not summary.extract(Conversation(SESSION, ())).done


def test_what_was_to_be_remembered_stays_without_the_secret_beside_it() -> None:
    for mask in (
        "[已脱敏:token]",
        "[redacted:token]",
        "Hx7#…Q92k",
        "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD2eF4",
    ):
        found = summary.extract(told(f"Remember: migrations run as shop_admin, the token is {mask}", "Noted."))
        assert [one.text for one in found.learned] == ["Migrations run as shop_admin"]


def test_half_of_a_mask_is_no_sentence() -> None:
    prompt = "Deploys fail. My token is ghp_…ipqn and the tile server listens on port 8443"
    found = summary.extract(told(prompt, "The tile server says that the token expired."))
    assert not [one for one in found.learned if "pqn" in one.text]
    assert not [name for name in found.entities if "ghp" in name or "pqn" in name]


REPORT = """I've made the following changes:

1. **Upload limit**:
   - `client_max_body_size` in nginx is now 20M
   - PHP accepts the same size
2. **Resize**: Added `resizeImage()` so that photos shrink to 1600 px in the browser
3. **Avatar cache**: Removed the stale avatar cache after each upload

The type check passes."""


def test_an_item_that_ends_in_a_colon_is_told_with_its_details() -> None:
    report = REPORT.replace("I've made the following changes:", "## Done")
    done = summary.extract(told("Photos of my phone do not upload", report)).done
    assert any("Upload limit" in one and "20M" in one for one in done), done
    assert any("resizeImage()" in one for one in done), done


def test_where_a_sentence_stands_in_its_report() -> None:
    said = tuple(split(REPORT, "assistant"))
    shapes = {sentence.text[:12]: shape for sentence, shape in zip(said, find_shapes(said), strict=True)}
    depths = {sentence.text[:12]: (sentence.depth, sentence.bold) for sentence in said}
    assert depths["Upload limit"] == (0, True)
    assert depths["PHP accepts "] == (1, False)
    assert said[shapes["PHP accepts "].holder].text.startswith("Upload limit")
    assert said[shapes["Resize: Adde"].intro].text.startswith("I've made")
    assert shapes["The type che"].intro == -1


def test_many_deeds_share_the_room_and_decisions_keep_theirs() -> None:
    deed = "The export of {} now writes one file a day and keeps the last thirty of them on the share"
    names = ("orders", "stock", "prices", "invoices", "returns", "vouchers", "taxes", "shifts", "tills")
    decision = "The exports are written as UTF-8 CSV with semicolons, since the bookkeeper's program reads nothing else"
    found = limit_extract(Extract("exports", done=tuple(map(deed.format, names)), decisions=(decision,)))
    assert found.decisions == (decision,)
    assert [name for name in names if any(name in one for one in found.done)] == list(names)
    assert count_characters(found) <= MOST


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Commit hash: `4f9e5ea`", True),
        ("Branch: main", True),
        ("**File:** `src/app/cart.ts`", True),
        ("docs/api/orders.md (2 references)", True),
        ("Files changed: 29 files", True),
        ("Fixed `pre-commit` to call `scripts/check.py`", False),
        ("cart.ts: empty carts are no longer saved", False),
        ("Dutch: 188 strings are in and the switcher shows it", False),
        ("package.json 写了 packageManager: pnpm@8.15.9。", False),
    ],
)
def test_what_only_names_something_is_no_deed(text: str, names: bool) -> None:
    assert is_reference(text) is names


@pytest.mark.parametrize(
    ("last", "outcome"),
    [
        ("I moved the totals into the view. Now let me run the migration:", "partly"),
        ("合计已经移到视图里了。我先看一下迁移脚本", "partly"),
        ("I moved the totals into the view. Let me know if you want the old column gone.", "success"),
    ],
)
def test_what_breaks_off_has_not_succeeded(last: str, outcome: str) -> None:
    assert summary.extract(told("move the totals into a view", last)).outcome.partition(":")[0] == outcome


def test_what_the_agent_says_last_that_a_person_is_to_do_is_open() -> None:
    report = "The importer reads the new columns.\n\n## Next steps\n- Rotate the SFTP key\n- Drop the table orders_old"
    assert summary.extract(told("read the new columns", report)).todos == (
        "Rotate the SFTP key",
        "Drop the table orders_old",
    )
    told_so = summary.extract(told("重连逻辑改一下", "重连改成指数退避了。\n你还需要在网关上把超时调到 60 秒。"))
    assert any("网关" in one for one in told_so.todos)
