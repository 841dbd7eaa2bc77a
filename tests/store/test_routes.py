"""Words that lead to documents, in homes as they are on disk.

A rule whose document is not there is found; whatever may be right is not.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from memtui.core.config import Config, RoutingConfig
from memtui.core.model import Filter, Layer, Route
from memtui.review.checkup import check_homes
from memtui.store.route_documents import list_broken_rules
from memtui.store.routes import MOST, match_routes
from memtui.store.vault import Vault
from tests.homes import write_files
from tests.store.homes_of import CONFIG, HOMES, claude, led, opened
from tests.store.test_route_documents import SPEC

DB = "areas/projects/shared-db"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return claude(tmp_path, SPEC, {f"{DB}/schema/order.md": "# 订单\n", f"{DB}/schema/usr.md": "# 用户\n"})


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("数据库怎么设计的？", [f"{DB}/schema-index.md"]),
        ("數據庫怎麼設計", [f"{DB}/schema-index.md"]),
        ("demo 的项目架构", ["areas/projects/demo/summary.md"]),
        ("项目的架构是什么", ["areas/projects/demo/summary.md"]),
        ("ord_items 有哪些字段", [f"{DB}/schema/order.md"]),
        ("USR_login 表", [f"{DB}/schema/usr.md"]),
        ("ordinary things", []),
        ("记忆系统状态", ["evolution/audit.jsonl"]),
        ("有没有循环问题", ["evolution/signal_report_latest.md"]),
        ("能力生成", ["evolution/generator_state.json"]),
        ("what about it", []),
        ("", []),
        ("\0\ud800 ((((", []),
        ("数" * 100_000, []),
    ],
)
def test_the_rules_of_the_specification(home: Path, query: str, expected: list[str]) -> None:
    assert led(opened(home), query) == expected


def test_the_architecture_is_that_of_the_project_worked_in(home: Path) -> None:
    """Of several the one that is named, else the one that the session is in; nobody's where that is none of them."""
    other = home / "areas/projects/other"
    other.mkdir()
    (other / "summary.md").write_text("# other\n\n三层架构\n", "utf-8")

    def go(query: str, here: str) -> list[str]:
        return [one.path for one in match_routes(opened(home), query, CONFIG, here=lambda: here)]

    assert go("看一下架构", "other") == ["areas/projects/other/summary.md"]
    assert go("看一下 demo 的架构", "other") == ["areas/projects/demo/summary.md"]
    assert go("看一下架构", "elsewhere") == go("看一下架构", "") == []


def test_a_program_of_the_tools_own_is_answered_by_ours(home: Path) -> None:
    (home / "evolution" / "signal_report_latest.md").unlink()
    (found,) = match_routes(opened(home), "有没有循环问题", CONFIG)
    assert (found.path, found.command) == ("", "memtui evolution signals")


def test_a_route_says_why(home: Path) -> None:
    assert match_routes(opened(home), "ＤＥＭＯ的项目架构", CONFIG) == (
        Route(str(home), "areas/projects/demo/summary.md", "项目架构", "rules/memory-loader.md:5"),
    )


@pytest.mark.parametrize(
    ("trigger", "query", "fires"),
    [
        ("CI", "the CI is red", True),
        ("CI", "用CI跑测试", True),
        ("CI", "decide on pricing", False),
        ("deploy", "Deploys on Friday", True),
        ("deploy", "redeploy", False),
        ("prefix-map", "the prefix_map file", True),
        ("flaky tests", "FLAKY   tests again", True),
        ("数据库迁移", "資料的數據庫遷移", True),
        ("目的地", "目的地是哪", True),
        ("表", "表格怎么画", False),
        ("表", "表", True),
        ("c++", "how about C++?", True),
    ],
)
def test_matching_as_people_write(tmp_path: Path, trigger: str, query: str, fires: bool) -> None:
    home = claude(tmp_path, f"- 「{trigger}」 → areas/tools/rg/summary.md\n")
    assert led(opened(home), query) == (["areas/tools/rg/summary.md"] if fires else [])


def test_a_rules_file_that_changes_is_read_again(home: Path) -> None:
    vault = opened(home)
    assert led(vault, "grep") == []
    loader = home.parent / "rules/memory-loader.md"
    loader.write_text(SPEC + "| grep | `areas/tools/rg/summary.md` |\n", "utf-8")
    assert led(vault, "grep") == ["areas/tools/rg/summary.md"]
    loader.unlink()
    assert led(vault, "grep") == []


def test_nothing_leads_out_of_the_home(tmp_path: Path) -> None:
    write_files(tmp_path, {"secret.md": "# s\n", ".claude/notes.md": "# n\n"})
    places = (
        "../../etc/passwd.md", "../notes.md", "/etc/passwd.md", f"{tmp_path}/secret.md", "areas/link.md",
        "areas/door/x.md", "..\\..\\secret.md", "areas/../../notes.md", "C:\\x.md", "~/secret.md", "$HOME/secret.md",
        "{x}/../secret.md", "areas/nothing.md", "config.json", "areas",
    )  # fmt: skip
    home = claude(tmp_path, "".join(f"- grep → `{place}`\n" for place in places))
    (home / "areas/link.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/x.md").write_text("# x\n", "utf-8")
    (home / "areas/door").symlink_to(tmp_path / "out")
    assert led(opened(home), "grep", "grep: ../notes.md", "grep: /etc/hosts.md") == []


def test_a_loader_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    home = claude(tmp_path, "")
    write_files(tmp_path, {"elsewhere.md": "- grep → areas/tools/rg/summary.md\n"})
    loader = home.parent / "rules/memory-loader.md"
    loader.unlink()
    loader.symlink_to(tmp_path / "elsewhere.md")
    assert led(opened(home), "grep") == []


def test_paths_as_claude_knows_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    forms = (
        "~/.claude/memory/areas/tools/rg/summary.md",
        "memory/areas/tools/rg/summary.md",
        "tools/rg/summary.md",
        str(tmp_path / ".claude/memory/areas/tools/rg/summary.md"),
        "areas/tools/rg/",
        "$HOME/.claude/memory/areas/tools/rg/summary.md",
        "./areas/tools/rg/summary.md#x",
    )
    home = claude(tmp_path, "".join(f"- word{n} → `{form}`\n" for n, form in enumerate(forms)))
    vault = opened(home)
    for number in range(len(forms)):
        assert led(vault, f"word{number}") == ["areas/tools/rg/summary.md"], forms[number]


def test_one_file_of_two_homes_is_named_once(home: Path) -> None:
    both = opened(home.parent, home)
    assert [one.layout for one in both.homes] == ["claude_md", "code-memory"]
    assert [(one.home, one.path) for one in match_routes(both, "数据库", CONFIG)] == [
        (str(home), f"{DB}/schema-index.md")
    ]


def test_longest_first_and_no_more_than_a_handful(tmp_path: Path) -> None:
    files = {f"areas/projects/p{n}/summary.md": "# p\n" for n in range(9)}
    home = claude(tmp_path, "- p → areas/tools/rg/summary.md\n", files)
    own = (*(f"word: areas/projects/p{n}/summary.md" for n in range(9)), "a longer word: areas/tools/rg/summary.md")
    found = led(opened(home), "a longer word", *own, "word: areas/tools/rg/summary.md")
    assert found[0] == "areas/tools/rg/summary.md"
    assert len(found) == len(set(found)) == MOST


def test_settings_and_filters(home: Path) -> None:
    vault = opened(home)
    off = Config(routing=RoutingConfig(False))
    assert match_routes(vault, "数据库", off) == ()
    for wanted, count in (
        (Filter(homes=frozenset({str(home)})), 1),
        (Filter(homes=frozenset({"/elsewhere"})), 0),
        (Filter(layers=frozenset({Layer.KNOWLEDGE})), 1),
        (Filter(layers=frozenset({Layer.JOURNAL})), 0),
        (Filter(path="areas/"), 1),
        (Filter(path="daily/"), 0),
    ):
        assert len(match_routes(vault, "数据库", CONFIG, wanted)) == count, wanted


def test_ones_own_triggers(home: Path) -> None:
    vault = opened(home)
    assert led(vault, "how do we ship", "ship|发布: areas/tools/rg/summary.md") == ["areas/tools/rg/summary.md"]
    assert led(vault, "怎么发布", f"ship|发布: {home}/areas/tools/rg/summary.md") == ["areas/tools/rg/summary.md"]
    for place in ("{project}", "${project}", "{项目}", "<name>", "*"):
        own = f"{{project}}: areas/projects/{place}/rules.md"
        assert led(vault, "demo?", own) == ["areas/projects/demo/rules.md"], place
    assert led(vault, "x", "x: ~\0/\ud800.md", "x: {\0}/a.md", "x: ~root/a.md") == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("JWT 过期了", [".helloagents/modules/auth.md"]),
        ("登录怎么做", [".helloagents/modules/auth.md"]),
        ("the auth module", [".helloagents/modules/auth.md"]),
        ("author", []),
        ("技术栈", [".helloagents/context.md"]),
        ("模块索引", []),
        ("ghost", []),
        ("购物车", []),
    ],
)
def test_the_index_of_helloagents(tmp_path: Path, query: str, expected: list[str]) -> None:
    shutil.copytree(HOMES / "helloagents/project", tmp_path / "p")
    assert led(opened(tmp_path / "p"), query) == expected
    assert led(opened(tmp_path / "p/.helloagents"), query) == [path.partition("/")[2] for path in expected]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("令牌过期", "modules/auth.md"),
        ("fix the JWT bug", "modules/auth.md"),
        ("退款流程", "modules/pay.md"),
        ("缓存穿透", "modules/cache.md"),
        ("日志级别", "modules/log.md"),
    ],
)
def test_an_index_as_an_editor_of_windows_leaves_it(tmp_path: Path, query: str, expected: str) -> None:
    rows = (
        "关键词 | 模块", "--- | ---", "登录、令牌／JWT | [认证](modules/auth.md)", "支付，退款 | modules\\pay.md",
        "`缓存` | `modules/cache.md`", "日志；追踪 | ./modules/log.md#L3", "~~旧~~ | modules/auth.md",
    )  # fmt: skip
    names = ("auth", "pay", "cache", "log")
    home = write_files(tmp_path / "p/.helloagents", {f"modules/{name}.md": f"# {name}\n\n- x\n" for name in names})
    (home / "INDEX.md").write_bytes(("# 知识库索引\r\n\r\n" + "\r\n".join(rows)).encode("utf-8-sig"))
    assert led(opened(home), query) == [expected]


def test_archived_changes_by_their_keywords(tmp_path: Path) -> None:
    table = (
        "| 时间戳 | 名称 | 关键词 | 方案包 |\n|---|---|---|---|\n"
        "| 202601281015 | cart | 优惠券 | [c](2026-01/202601281015_cart/) |\n"
    )
    shutil.copytree(HOMES / "helloagents/project", tmp_path / "p")
    write_files(tmp_path / "p/.helloagents", {"archive/_index.md": table})
    assert led(opened(tmp_path / "p"), "优惠券") == [".helloagents/archive/2026-01/202601281015_cart/proposal.md"]


def test_an_index_leads_to_knowledge_only(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "memtui", tmp_path / "m")
    rows = "".join(
        f"| grep | {path} |\n"
        for path in ("user/profile.md", "sessions/s-1.md", "MEMORY.md", "INDEX.md", "daily/2026-02-24.md")
    )
    write_files(tmp_path / "m", {"INDEX.md": "| keywords | document |\n|---|---|\n" + rows})
    assert led(opened(tmp_path / "m"), "grep") == []
    shutil.copy(HOMES / "memtui/INDEX.md", tmp_path / "m/INDEX.md")
    assert led(opened(tmp_path / "m"), "grep") == ["areas/tools/rg/rules.md"]


@pytest.mark.parametrize("name", ["openclaw", "claude/projects/-home-lin-my-shop", "xinghebot", "codex", "skillix"])
def test_lists_of_links_are_no_keyword_tables(name: str) -> None:
    with opened(HOMES / name) as vault:
        assert led(vault, "支付回调 deploy smoke test gateway") == []


def test_no_file_of_a_home_is_opened_where_there_are_no_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(HOMES / "openclaw", tmp_path / "o")
    vault = opened(tmp_path / "o")

    def never(*_: object, **__: object) -> object:
        raise AssertionError

    monkeypatch.setattr(os, "open", never)
    monkeypatch.setattr(os, "listdir", never)
    assert match_routes(vault, "anything", CONFIG) == ()


def test_searching_and_routing_need_no_index(home: Path) -> None:
    with Vault.open([home], wait=False) as vault:
        assert led(vault, "数据库")
        assert vault.status()[0].files == 0


def test_a_module_of_an_index_is_a_directory_under_areas(tmp_path: Path) -> None:
    index = "# 知识库\n\n| 模块 | 关键词 | 摘要 |\n|---|---|---|\n| projects/shop | 支付, 退款 | 书店 |\n"
    files = {"INDEX.md": index, "user/profile.md": "# P\n", "areas/projects/shop/summary.md": "# 书店\n"}
    home = write_files(tmp_path / "home", files)
    assert led(opened(home), "支付回调怎么写") == ["areas/projects/shop/summary.md"]
    assert led(opened(home), "天气") == []


def test_what_a_loader_promises(tmp_path: Path) -> None:
    lines = "- grep → areas/tools/gone/summary.md\n- rg → areas/tools/rg/summary.md\n- x → /etc/hosts.md, ../../y.md\n"
    home = claude(tmp_path, SPEC + lines)
    (found,) = list_broken_rules(opened(home))
    assert (found.home, found.path, found.target) == (str(home), "", "areas/tools/gone/summary.md")
    assert found.source == "rules/memory-loader.md:11"
    both = list_broken_rules(opened(home.parent, home))
    assert len(both) == 1, "one loader of two homes is one"
    assert (both[0].path, both[0].line) == ("rules/memory-loader.md", 11)


def test_what_an_index_promises(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "helloagents/project", tmp_path / "p")
    with Vault.open([tmp_path / "p"]) as vault:
        assert [(one.path, one.line, one.target) for one in list_broken_rules(vault)] == [
            (".helloagents/modules/_index.md", 6, "./ghost.md")
        ], "a module without a path promises nothing"
        (finding,) = (one for one in check_homes(vault) if one.what == "rule")
        assert (finding.path, finding.line) == (".helloagents/modules/_index.md", 6)
        assert "./ghost.md" in finding.text


def test_what_the_config_promises(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "memtui", tmp_path / "m")
    own = ("grep: areas/tools/rg/rules.md", "deploy: areas/none.md", "x: areas/projects/{x}/none.md")
    vault = Vault.open([tmp_path / "m"], config=Config(routing=RoutingConfig(True, own)), wait=False)
    assert [(one.source, one.target) for one in list_broken_rules(vault)] == [("config", "areas/none.md")]
    write_files(tmp_path / "m", {"areas/none.md": "# n\n"})
    assert list_broken_rules(vault) == []
