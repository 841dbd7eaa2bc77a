"""Projects out of `.git` alone: checkouts, worktrees, submodules, and the key of an origin."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memtui.layouts import Surroundings
from memtui.layouts.git import (
    derive_address_key,
    derive_origin_key,
    find_project_roots,
    iterate_project_directories,
)


def repository(path: Path, config: str = "") -> Path:
    (path / ".git").mkdir(parents=True)
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (path / ".git" / "config").write_text(config)
    return path


def worktree(main: Path, path: Path, name: str = "wt") -> Path:
    own = main / ".git" / "worktrees" / name
    own.mkdir(parents=True)
    path.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "gitdir").write_text(f"{path}/.git\n")
    (path / ".git").write_text(f"gitdir: {own}\n")
    return path


ORIGIN = '[core]\n\tbare = false\n[remote "up"]\n\turl = git@x:no/no.git\n[remote "origin"]\n\turl = {0}\n\tfetch = +\n'


def test_a_checkout_and_its_worktrees_are_one_project(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop", ORIGIN.format("git@github.com:acme/shop.git"))
    other = worktree(main, tmp_path / "shop-fix")
    (main / "src" / "deep").mkdir(parents=True)
    assert find_project_roots(main / "src" / "deep") == (main, other)
    assert find_project_roots(other) == (other, main)
    assert derive_origin_key(other) == derive_origin_key(main / "src") == "github.com_acme_shop"


def test_what_git_itself_makes(tmp_path: Path) -> None:
    main = tmp_path / "真 repo"
    run = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    try:
        subprocess.run([*run, "init", "-q", str(main)], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("git is not installed")
    subprocess.run([*run, "-C", str(main), "commit", "-q", "--allow-empty", "-m", "x"], check=True, capture_output=True)
    wt = tmp_path / "wt"
    subprocess.run([*run, "-C", str(main), "worktree", "add", "-q", str(wt)], check=True, capture_output=True)
    subprocess.run(
        [*run, "-C", str(main), "remote", "add", "origin", "https://u:t@example.org:8443/a/b.git"],
        check=True,
        capture_output=True,
    )
    assert find_project_roots(wt) == (wt, main)
    assert find_project_roots(main) == (main, wt)
    assert derive_origin_key(wt) == "example.org_a_b"


def test_no_repository_and_broken_ones(tmp_path: Path) -> None:
    assert find_project_roots(tmp_path) == (tmp_path,)
    assert derive_origin_key(tmp_path) == ""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".git").write_bytes(b"gitdir: /nowhere\0/x\n")
    assert find_project_roots(tmp_path / "a") == (tmp_path / "a",)
    assert derive_origin_key(tmp_path / "a") == ""
    (tmp_path / "b" / ".git").mkdir(parents=True)
    assert find_project_roots(tmp_path / "b") == (tmp_path / "b",)
    gone = repository(tmp_path / "c")
    worktree(gone, tmp_path / "d")
    (tmp_path / "d" / ".git").unlink()
    (tmp_path / "d").rmdir()
    assert find_project_roots(gone) == (gone,)


def test_submodules_are_projects_of_their_own(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    own = main / ".git" / "modules" / "sub"
    own.mkdir(parents=True)
    (own / "config").write_text('[core]\n\tworktree = ../../../sub\n[remote "origin"]\n\turl = https://h/o/sub\n')
    (main / "sub").mkdir()
    (main / "sub" / ".git").write_text("gitdir: ../.git/modules/sub\n")
    assert find_project_roots(main / "sub") == (main / "sub",)
    assert derive_origin_key(main / "sub") == "h_o_sub"


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://github.com/owner/repo.git", "github.com_owner_repo"),
        ("git@github.com:owner/repo.git", "github.com_owner_repo"),
        ("ssh://git@host.io:2222/o/r/", "host.io_o_r"),
        ("https://user:token@git.corp/组/repo", "git.corp___repo"),
        ("host:r", "host_r"),
        ("/srv/git/r.git", "srv_git_r"),
        ("C:\\git\\r.git", "C__git_r"),
        ("", ""),
    ],
)
def test_keys_of_addresses(address: str, key: str) -> None:
    assert derive_address_key(address) == key


def test_where_a_project_may_keep_memory(tmp_path: Path) -> None:
    user = tmp_path / "me"
    main = repository(user / "work" / "shop")
    wt = worktree(main, user / "work" / "wt")
    here = main / "pkg" / "a"
    here.mkdir(parents=True)
    around = Surroundings(here, user, {}, find_project_roots(here))
    assert list(iterate_project_directories(around)) == [here, main / "pkg", main, wt]
    assert list(iterate_project_directories(Surroundings(user, user, {}, (user,)))) == [user]
    assert list(iterate_project_directories(Surroundings(user / "work", user, {}, (user,)))) == [user / "work"]


def test_outside_a_repository_the_project_is_where_an_agent_left_something(tmp_path: Path) -> None:
    deep = tmp_path / "code" / "shop" / "src" / "api"
    deep.mkdir(parents=True)
    assert find_project_roots(deep, tmp_path) == (deep,)
    (tmp_path / "code" / "shop" / ".helloagents").mkdir()
    assert find_project_roots(deep, tmp_path) == (tmp_path / "code" / "shop",)
    (tmp_path / ".claude").mkdir()
    (tmp_path / "notes").mkdir()
    assert find_project_roots(tmp_path / "notes", tmp_path) == (tmp_path / "notes",)
