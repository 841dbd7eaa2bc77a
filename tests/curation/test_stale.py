"""Memories that name what a project no longer has are proposed; what may be anything else or is told as gone is not."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from memtui.review import foremost
from memtui.review import queue as queue_module
from memtui.review.mentions import find_mentions, find_retired_names, find_switched_off
from memtui.review.project_tree import Tree
from memtui.store.candidates import Candidate
from memtui.store.vault import Vault

GONE = [
    ("The router lives in src/router/index.ts", "src/router/index.ts"),
    ("Auth helpers are in `src/auth/helpers.py`.", "src/auth/helpers.py"),
    ("See `docs/deploy.md` for the steps", "docs/deploy.md"),
    ("支付回调的处理在 src/pay/notify.py 里", "src/pay/notify.py"),
    ("部署脚本是 `scripts/release.sh`", "scripts/release.sh"),
    ("Fixtures live in `tests/fixtures/`", "tests/fixtures"),
    ("接口测试都在 tests/api/ 目录", "tests/api"),
    ("Run `./scripts/seed.sh` before the first start", "scripts/seed.sh"),
    ("`python scripts/backfill.py --all` fills the table", "scripts/backfill.py"),
    ("The parser's grammar is `grammar.py`", "grammar.py"),
    ("Constants are kept in constants.py", "constants.py"),
    ("src/db.py:42 opens the pool", "src/db.py"),
    ("The entry points are src/main.py and src/worker.py", "src/worker.py"),
    ("Start the dev server with `npm run serve`", "npm run serve"),
    ("提交前执行 npm run typecheck", "npm run typecheck"),
    ("`pnpm run e2e` needs Docker", "npm run e2e"),
    ("`make bench` prints the numbers", "make bench"),
    ("Use `make docker-push` for images", "make docker-push"),
    ("`just deploy` is for staging", "just deploy"),
    ("Work for the shop happens on branch `feature/checkout`", "the branch feature/checkout"),
    ("Hotfixes start from the `staging` branch", "the branch staging"),
    ("日常开发在 develop-2 分支", "the branch develop-2"),
    ("开发分支是 `feature/pay`", "the branch feature/pay"),
    ("`src/models/user.ts` defines the user", "src/models/user.ts"),
    ("Config of the linter: `config/lint.yaml`", "config/lint.yaml"),
    ("数据库迁移放在 `src/migrations/`，由 alembic 管理", "src/migrations"),
    ("The cart reducer is tested in tests/cart_test.py", "tests/cart_test.py"),
    ("Types are shared through src/types/index.d.ts", "src/types/index.d.ts"),
    ("主配置：config/app.toml", "config/app.toml"),
    ("组件放在 `src/components` 目录", "src/components"),
]
KEPT = [
    "Its key stands in `cart/local.toml`", "`src/kasse/alt.py` wurde im Mai entfernt",
    "`src/caja/vieja.py` fue eliminado en mayo", "`src/kassa/old.py` удалён в мае",
    "`src/notes/old-name.md` → `src/main.py`", "Log each failure to `src/notes/failures.md`",
    "`src/backup.py` in `~/tools` runs each night",
    "Something odd → tell the team and note in `src/notes/odd.md`",
    "**Script**: `src/eval/knockout.py` (to build)", "Names are lower case (e.g., `src/names/and-or.py`)",
    "失败记录到 `src/notes/failures.md`", "The entry point is src/main.py",
    "Money is counted in `src/cart/money.py`", "`money.py` rounds half to even",
    "The cart package has cart/money.py", "All tests are in `tests/`", "测试在 tests/unit 目录下",
    "Run `npm run build` before deploying", "`npm test` runs everything", "`npm install` first",
    "`pnpm add zod` installs it", "`make lint` and `make test` run in CI", "`just fmt` formats",
    "make sure that the tests pass", "The default branch is `main`",
    "Daily work happens on the `develop` branch", "The cart is built on branch `feature/cart`",
    "日常开发在 develop 分支", "Branch names are prefixed with `feature/`",
    "分支命名形如 feature/login-page 分支", "Deleted src/old.py because nobody used it",
    "src/legacy/api.py was removed in May", "已删除 src/legacy/pay.py", "不要创建 docs/notes.md",
    "We will add src/search/index.py next week", "计划新增 src/search/query.py",
    "Moved src/a.py to src/cart/a.py", "旧的入口是 src/app.py", "Docs: https://example.com/docs/guide.md",
    "See github.com/acme/shop/blob/main/src/x.py", "Files match `src/**/*.spec.ts`",
    "Components are in PascalCase (`CartRow.tsx`, `src/CartList.tsx`)",
    "유틸 파일 · camelCase · `formatDate.ts`, `src/validators.ts`", "The entry is MAIN.py",
    "日报从 `src/report_v22.py` 改回标准模板",
    "2026-07-24 재구성으로 구 PostToolUse `src/auto-push.ps1` 을 Stop hook 으로 통합",
    "Tests are named `tests/test_<name>.py`", "Logs go to `logs/YYYY-MM-DD.log`",
    "Reports: `reports/{id}.json`", "The bundle is in dist/app.js", "build/output.css is made by the bundler",
    "`node_modules/.bin/tsc` is the compiler", "Secrets stand in `.env`",
    "Coverage is written to `coverage.xml`", "Use Node.js 20 and Vue.js 3", "moment.js is not used",
    "Choose and/or, never either/or", "TCP/IP, CI/CD and client/server", "The route is `/api/v1/users`",
    "GET /orders/list returns pages", "`acme/shop` is the repository", "`@acme/ui` holds the buttons",
    "`application/json` is the content type", "The host is /etc/nginx/nginx.conf",
    "The user's config is ~/.config/shop/config.toml", "$HOME/bin/deploy.sh is private",
    "For example src/features/demo.py", "例如 src/features/demo.ts",
    "In the other repo, src/client.py calls us", "Version 1.2.3 and 10.5 are fine",
    "Scores are between 0.5/1.0", "Links go through `linked/anything.py`",
    "`var/data.sqlite3` is where it stores rows", "`private.py` is ignored by git",
    "The user prefers short answers", "Compared with the plan: no `src/router/index.ts` (it is in the cart)",
    "Only what counts is ported from grammar.py", "src/auth/helpers.py and grammar.py are NOT included",
    "src/auth/helpers.py 는 삭제되었다", "Call `cart/파일.ts` by its own name",
    "State is kept in auto-memory, `docs/deploy.md` with it", "Use ../sibling/x.py never",
    "The routes are `src/users` and `src/orders`", "Save the form through `config/save` and `config/fetch`",
    "`server/start.py` is in the image", "`shop/src/main.py` is the entry point",
    "Uploads land in `public/media/logo.svg`", "Snapshots: `docs/shots/day/one.md`",
    "The theme is `themes/dark/base.css`, a submodule", "Cover it with a `_test.go` beside it",
    "Names are lower case (`guide-one.py`, not `GUIDE.py`)", "Renders go to `docs/sXepY-short/` each week",
    "`tools/` is a git repo with its own `scripts/fetch.py`", "`cd ~/tools && node scripts/fetch.js` runs it",
    "A throwaway `docs/try.html` is enough", "If the till is running (`server.py` in src/till/), stop it",
    "Erro: `src/loja.css` não existia após a limpeza",
]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "work" / "shop"
    for path in (
        "src/main.py", "src/cart/money.py", "src/cart/router/index.tsx", "tests/unit/test_money.py", "docs/guide.md",
        "scripts/deploy.sh", "var/keep", "src/core/constants_used.py", "lib/auth/helpers.py", "config/base.toml",
    ):  # fmt: skip
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")
    scripts = {"build": "vite build", "test": "vitest"}
    (root / "package.json").write_text(json.dumps({"scripts": scripts}))
    (root / "Makefile").write_text(".PHONY: lint test\nlint:\n\truff\ntest: lint\n\tpytest\n")
    (root / "justfile").write_text("fmt:\n  ruff format\n")
    (root / ".gitignore").write_text(
        "*.sqlite3\nprivate.py\nvar/\n/public/media/*\n!/public/media/keep.svg\ndocs/**/one.md\n/src/cart/local.toml\n[bad\n"
    )
    (root / ".gitmodules").write_text('[submodule "dark"]\n\tpath = themes/dark\n\turl = x\n')
    for folder in ("public", "themes"):
        (root / folder).mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "linked").symlink_to(outside)
    git = root / ".git"
    (git / "refs/heads").mkdir(parents=True)
    (git / "refs/remotes/origin/feature").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs/heads/main").write_text("0" * 40)
    (git / "refs/remotes/origin/feature/cart").write_text("0" * 40)
    (git / "packed-refs").write_text(f"# pack-refs\n{'1' * 40} refs/heads/develop\n")
    return root


def remembered(project: Path, texts: list[str]) -> Path:
    home = project / ".memtui"
    (home / "daily").mkdir(parents=True, exist_ok=True)
    lines = "".join(f"- {text}\n" for text in texts)
    (home / "MEMORY.md").write_text(f"# MEMORY\n\n## Facts\n\n{lines}", "utf-8")
    (home / "daily/2026-02-20.md").write_text("# 2026-02-20\n\n- [fact] Split src/long/gone.py today\n")
    return home


def stale(home: Path) -> list[Candidate]:
    with Vault.open([home]) as vault:
        return [one for one in queue_module.load_queue(vault).waiting if one.origin == "stale"]


@pytest.mark.parametrize(("text", "gone"), GONE)
def test_what_is_gone(project: Path, text: str, gone: str) -> None:
    tree = Tree(project)
    lacking = [one for one in find_mentions(text, str(project)) if tree.lacks(one)]
    assert [one.name for one in lacking] == [gone.rpartition(" ")[2] if " " in gone else gone]


@pytest.mark.parametrize("text", KEPT)
def test_what_is_not(project: Path, text: str) -> None:
    tree = Tree(project)
    assert [one for one in find_mentions(text, str(project)) if tree.lacks(one)] == []


def test_in_a_home_they_are_proposed_with_what_is_gone_and_where_it_may_be(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foremost, "MOST", 1000)
    monkeypatch.setattr(foremost, "A_PLACE", 1000)
    found = {one.text: one for one in stale(remembered(project, [*(text for text, _gone in GONE), *KEPT]))}
    assert set(found) == {text for text, _gone in GONE}
    for text, gone in GONE:
        assert gone in found[text].reason
    moved = found["Auth helpers are in `src/auth/helpers.py`."]
    assert moved.reason == "no longer in shop: src/auth/helpers.py (now lib/auth/helpers.py?)"
    # One of two is gone: which, and that it is a half.
    half = found["The entry points are src/main.py and src/worker.py"]
    assert (half.parts, half.score) == ((("gone", "src/worker.py"),), 0.5)


def test_what_went_together_is_one_card_with_all_its_places(project: Path) -> None:
    home = remembered(
        project,
        [
            "`src/pay/notify.py` takes the callbacks",
            "`src/pay/refund.py` and `src/pay/ledger/book.py` hold the rest",
            "The callbacks of src/pay/notify.py are signed",
            "`src/mail/send.py` sends",
        ],
    )
    pay, mail = stale(home)
    assert [place.line for place in pay.sources] == [5, 6, 7] and len(pay.memories) == 3
    assert pay.reason == (
        "no longer in shop: src/pay/notify.py, src/pay/refund.py, src/pay/ledger/book.py"
    ) and mail.parts == (("gone", "src/mail/send.py"),)
    with Vault.open([home]) as vault:
        queue_module.approve(vault, pay)
        assert [one.text for one in stale(home)] == ["`src/mail/send.py` sends"]


def test_a_document_that_was_renamed_in_each_directory_is_one_card(project: Path) -> None:
    for name in ("pay", "mail", "cart", "till"):
        (project / f"docs/{name}/guide").mkdir(parents=True, exist_ok=True)
        (project / f"docs/{name}/guide/000-start.md").write_text("# Start\n", "utf-8")
    home = remembered(
        project, [f"The way into {name}: `docs/{name}/guide/start.md`" for name in ("pay", "mail", "cart")]
    )
    (card,) = stale(home)
    assert len(card.memories) == 3
    assert card.reason.startswith("no longer in shop: */guide/start.md, ")
    home = remembered(project, [f"The way into {name}: `docs/{name}/guide/start.md`" for name in ("pay", "till")])
    assert len(stale(home)) == 2


def test_a_name_alone_tells_something_beside_files_that_are_there(project: Path) -> None:
    (home := remembered(project, ["Prices are rounded in rounding.py"])).joinpath("areas/projects/shop").mkdir(
        parents=True
    )
    (home / "areas/projects/shop/rules.md").write_text(
        "# Rules\n\n- The entry point is src/main.py\n- Taxes are counted in taxes.py\n- The view is cart.vue\n"
    )
    assert [one.parts for one in stale(home)] == [(("gone", "taxes.py"),)]


def test_a_section_about_a_directory_elsewhere_names_what_is_there(project: Path) -> None:
    home = remembered(project, [])
    lines = "\n## Tracker (`tracker/`)\n\n- `src/gone.py` reads\n\n## Code (`src/`)\n\n- `src/lost.py` writes\n"
    (home / "MEMORY.md").write_text(f"# MEMORY\n{lines}")
    assert [one.parts for one in stale(home)] == [(("gone", "src/lost.py"),)]


def test_a_link_to_a_document_that_is_not_there(project: Path) -> None:
    home = remembered(
        project,
        [
            "[Rules](areas/rules.md) and [the shop](daily/2026-02-20.md)",
            "[Types](type-gaps.md) — 21 are left since the old parser was removed",
            "[Site](https://example.com/a.md), [top](#a.md), [user](~/x.md)",
        ],
    )
    (found,) = stale(home)
    assert found.reason == "no longer in shop: type-gaps.md" and found.sources[0].line == 6


RETIRED = [
    ("**`CartRegistry` DELETED** — replaced by `CartCatalog`", "CartRegistry"),
    ("`cart-store` was replaced by `basket`", "cart-store"),
    ("We removed the old `fetch_all()` helper.", "fetch_all"),
    ("Renamed `CartHub` to `CartCentre`", "CartHub"),
    ("`useCart` 已删除，改用 `useBasket`", "useCart"),
    ("`legacy_api` 模块已废弃", "legacy_api"),
    ("已移除 `CartPanel` 组件。", "CartPanel"),
    ("`CartHub` should be removed", ""),
    ("If `CartHub` is deleted, the tests fail", ""),
    ("Removed `user_id` from the log line", ""),
    ("`logger` was removed", ""),
    ("已移除 `CartHub` 的旧参数", ""),
    ("计划将 `CartHub` 重命名为 `Hub`", ""),
    ("`CartHub` 删除前先备份", ""),
]


@pytest.mark.parametrize(("text", "name"), RETIRED)
def test_what_is_told_as_retired(text: str, name: str) -> None:
    assert find_retired_names(text) == ((name,) if name else ())


def test_what_another_memory_calls_gone_is_told_as_there(project: Path) -> None:
    home = remembered(
        project,
        [
            "**`CartRegistry` DELETED** — replaced by `CartCatalog`",
            "Look up carts with `CartRegistry.get(id)` in every handler",
            "The old `CartRegistry` was a static class",
            "`MoneyBox` was removed",
            "`MoneyBox` holds the coins of a cart",
        ],
    )
    (project / "src/cart/MoneyBox.ts").write_text("x")
    (found,) = stale(home)
    assert found.reason == "MEMORY.md:5 says that CartRegistry is no more"
    assert [place.line for place in found.sources] == [6]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("**RQ2 + night watcher are OFF.** Start it by hand", ("RQ2",)),
        ("The auto-import is now disabled", ("auto-import",)),
        ("`night-sync` 已停用，改为手动", ("night-sync",)),
        ("SSR is disabled by default", ()),
        ("If RQ2 is disabled, start it", ()),
        ("The cache is disabled", ()),
    ],
)
def test_what_is_told_as_switched_off(text: str, names: tuple[str, ...]) -> None:
    assert find_switched_off(text) == names


def test_what_runs_under_something_that_is_switched_off(project: Path) -> None:
    home = remembered(
        project,
        [
            "**RQ2 is OFF.** Start the worker by hand",
            "The worker runs under RQ2 on the shop's machine",
            "RQ2 was set up in spring",
        ],
    )
    (found,) = stale(home)
    assert [place.line for place in found.sources] == [6]


def test_what_is_planned_or_stands_for_a_day_was_never_there(project: Path) -> None:
    for text in (
        "Read `src/cart/today.md` and `src/cart/昨天.md` first",
        "Use `keep` (非 `src/cart/gone.py`)",
    ):
        assert not find_mentions(text)
    tree = Tree(project)
    (project / "skills/one").mkdir(parents=True)
    (project / "skills/one/SKILL.md").write_text("x")
    assert tree.has_alike("skills/two/SKILL.md")
    assert not tree.has_alike("tools/two/SKILL.md")


def test_a_path_written_whole_is_the_projects_only_below_it(project: Path) -> None:
    tree = Tree(project)
    for path, gone in ((project / "src/none.py", True), (project / "src/main.py", False)):
        assert any(tree.lacks(one) for one in find_mentions(f"It is in `{path}`", str(project))) is gone
    assert find_mentions(f"It is in {project.parent}/other/x.py", str(project)) == ()


def test_nothing_outside_is_looked_at(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    real = os.lstat

    def noted(path: str | os.PathLike[str], **more: int) -> os.stat_result:
        seen.append(os.fspath(path))
        return real(path, **more)

    monkeypatch.setattr(os, "lstat", noted)
    tree = Tree(project)
    texts = (
        "`linked/deep/x.py`",
        "`../x/y.py`",
        "`src/../../x.py`",
        "`/etc/shadow.py`",
        "`linked/../../x.py`",
    )
    assert not any(tree.lacks(one) for text in texts for one in find_mentions(text, str(project)))
    assert seen and all(path == str(project / "linked") for path in seen)


def test_without_a_project_nothing_is_stale(tmp_path: Path) -> None:
    assert stale(remembered(tmp_path, ["The router lives in src/router/index.ts"])) == []


def test_a_project_in_a_home_of_many_is_the_one_memtui_was_started_in(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "memory"
    for name in ("shop", "other"):
        (home / f"areas/projects/{name}").mkdir(parents=True)
        (home / f"areas/projects/{name}/rules.md").write_text(f"# Rules\n\n- Use src/{name}.py for all of it\n")
    (home / "MEMORY.md").write_text("# MEMORY\n\n- Start with src/anywhere.py\n")
    monkeypatch.chdir(project)
    assert [one.text for one in stale(home)] == ["Use src/shop.py for all of it"]
    monkeypatch.chdir(tmp_path)
    assert stale(home) == []


def test_approved_it_is_archived_and_comes_back_with_undo(project: Path) -> None:
    home = remembered(project, ["The router lives in src/router/index.ts", "The entry point is src/main.py"])
    before = (home / "MEMORY.md").read_bytes()
    with Vault.open([home]) as vault:
        queue_module.approve(vault, stale(home)[0])
        assert (home / "MEMORY.md").read_bytes() != before and not stale(home)
        vault.undo()
    assert (home / "MEMORY.md").read_bytes() == before


def test_a_shallow_clone_does_not_know_its_branches(project: Path) -> None:
    (project / ".git/shallow").write_text("0" * 40)
    text = "Work for the shop happens on branch `feature/checkout`"
    assert not any(Tree(project).lacks(one) for one in find_mentions(text))


def test_thousands_are_asked_in_milliseconds(project: Path) -> None:
    texts = [
        f"Part {number} lives in src/part{number % 900}/code{number}.py, see docs/guide.md" for number in range(5000)
    ]
    for text in texts:
        find_mentions(text, str(project))
    begun = time.process_time()
    tree = Tree(project)
    lacking = sum(tree.lacks(one) for text in texts for one in find_mentions(text, str(project)))
    assert time.process_time() - begun < 1.0
    assert lacking == 5000


def test_a_workspace_names_what_is_in_it(tmp_path: Path) -> None:
    home = tmp_path / "garden"
    (home / "memory").mkdir(parents=True)
    (home / "SOUL.md").write_text("# Soul\n\n- Calm\n")
    (home / "MEMORY.md").write_text("# Memory\n\n- The pump is in the shed\n")
    (home / "memory/2026-02-01.md").write_text("# 2026-02-01\n\n- Watered\n")
    (home / "AGENTS.md").write_text(
        "# Agents\n\n## Files\n\n- `SOUL.md` holds the voice\n- `HARVEST.md` holds the yields\n"
        "- `memory/harvest.md` counts the yields\n- `memory/2026-01-01.md` is the first day\n"
        "- `memory/pump-state.json` is the pump's\n- `projects/kiln/src/fire.py` fires\n"
        "- `SOUL.md/AGENTS.md` are read first\n- Save the yields in `memory/yields.md`\n"
        "- Capture loose ends in `memory/ends.md`\n- **Output path**: `memory/exports/list.md`\n"
        "- The details of whatever grows go to `memory/projects/`\n"
        "- memory/soil.md\n- The kiln is lit by `memory/kiln.py`\n"
        "- `2026-02-01 10:00` [FIX] `memory/gate.md` names the hinge of the gate\n"
    )
    names = [name for one in stale(home) for part, name in one.parts if part == "gone"]
    assert names and {name.rpartition("/")[2] for name in names} <= {"HARVEST.md", "harvest.md"}


def test_a_command_of_a_directory_that_is_entered(project: Path) -> None:
    tree = Tree(project)
    entered = "Run `cd backend && make cover` or `make cover` there"
    assert not [one for one in find_mentions(entered, str(project)) if tree.lacks(one)]


def test_no_card_is_shown_whose_mark_the_file_could_not_carry(project: Path) -> None:
    home = remembered(project, ["Auth helpers are in `src/auth/helpers.py`."])
    with (home / "MEMORY.md").open("a", encoding="utf-8") as file:
        file.write("\n| Where | What |\n|---|---|\n| `src/router/index.ts` | the router lives here |\n")
        file.write("\n```sh\n./scripts/seed.sh before the first start\n```\n")
    with Vault.open([home]) as vault:
        queue = queue_module.load_queue(vault)
        for one in queue.waiting:
            queue_module.diff(vault, one)
        assert any("src/auth/helpers.py" in one.text for one in queue.waiting)
        refused = [one.text for one in queue.refused if "edit this in the file" in one.reason]
        # A table's row is marked in its last cell.
        assert any(one.text.startswith("`src/router/index.ts`") for one in queue.waiting)
    assert [text.partition(" ")[0] for text in refused] == ["./scripts/seed.sh"]


def test_a_list_of_stages_names_what_was_to_be_made(project: Path) -> None:
    text = "1) the reader in `src/router/index.ts`, 2) its tests"
    assert [one.text for one in stale(remembered(project, [f"**Iterations:** {text}", text]))] == [text]


def test_what_went_elsewhere_with_its_directory_still_holds(project: Path) -> None:
    moved = ("reader.py", "writer.py", "labels/print.py")
    for name in moved:
        file = project / "packages/till/src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    texts = [f"What counts is in `src/till/{name}`" for name in moved]
    assert len(stale(remembered(project, texts[:2]))) > 0
    home = remembered(project, [*texts, "The sums are in `src/till/sums.py`"])
    assert [dict(card.parts)["gone"] for card in stale(home)] == ["src/till/sums.py"]


def test_a_part_of_the_program_is_no_file_that_is_gone(project: Path) -> None:
    (project / "src/till.py").write_text("class Till:\n    def count_coins(self): ...\n", "utf-8")
    assert not stale(remembered(project, ["`Till.count_coins()` counts", "`Till.openDrawer()` opens the drawer"]))


def test_a_library_of_another_main_version_than_the_project_takes(project: Path) -> None:
    wanted = {"dependencies": {"astro": "^6.1.0", "@shop/till": "~2.4.1", "pinia": "workspace:*"}}
    (project / "package.json").write_text(json.dumps(wanted))
    (project / "Cargo.toml").write_text('[dependencies]\nlazy_static = "1.4"\nserde = { version = "1.0" }\n')
    old, right = "`astro` ^5.17.1 makes the pages", "`@shop/till` 2.9.0 counts"
    kept = (
        right,
        "`serde` 1.0.200 reads, `pinia` 2.1 keeps",
        "astro 5.2 → 6.1 in May",
        "The till needs astro 5.0 or later",
        "version 0.3.1 is out",
    )
    (told,) = stale(remembered(project, [old, "lazy_static: 0.2", *kept]))
    assert told.parts == (("gone", "astro ^5.17.1 (now ^6.1.0?)"), ("gone", "lazy_static 0.2 (now 1.4?)"))
    assert {source.line for source in told.sources} == {5, 6}


def test_a_task_to_make_a_file_that_is_there(project: Path) -> None:
    home = remembered(project, ["x"])
    (home / "scratch.md").write_text("x")
    tasks = "- [ ] Create `src/cart/money.py`\n- [ ] 创建 scripts/deploy.sh\n"
    others = (
        "- [ ] Create `src/cart/coins.py`\n- [ ] Create the src/cart/money.py tests\n- [ ] Check `src/main.py`\n"
        "- [x] Create docs/guide.md\n- [ ] Create MEMORY.md\n"
    )
    (home / "MEMORY.md").write_text(f"# MEMORY\n\n## Todo\n\n{tasks}{others}", "utf-8")
    (card,) = stale(home)
    assert card.parts == (("made", "src/cart/money.py"), ("made", "scripts/deploy.sh"))
    assert len(card.memories) == 2
    (home / "MEMORY.md").write_text(f"# MEMORY\n\n## Todo\n\n{others}", "utf-8")
    assert not stale(home)
