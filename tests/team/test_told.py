"""What a person is told: help of each verb, why there is no connection, and how a machine comes back."""

from __future__ import annotations

import json
import shlex
import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from memtui.cli import share_commands, team_commands
from memtui.cli.options import read
from memtui.cli.run import run
from memtui.core.config import Config
from memtui.team import exchange as exchange_module
from memtui.team.exchange import Exchange, Exchanged
from memtui.team.membership import Share, load_memberships, save_membership
from tests.team.scene import Machine, Proxy, exchange, use

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.team.conftest import Team

COMMAND = team_commands.COMMAND


def test_every_verb_has_a_help_with_lines_that_can_be_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert {verb.name for verb in COMMAND.verbs} == set(team_commands.VERBS)
    known = {option.names[0] for option in COMMAND.options}
    for verb in COMMAND.verbs:
        assert set(verb.options) <= known
        assert run(["team", verb.name, "--help"]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith(f"Usage: memtui team {verb.name} [OPTIONS]") and "Examples:" in shown
        assert all(line in shown for line in verb.examples)
        for line in verb.examples:
            words = shlex.split(line.rpartition("| ")[2])
            assert words[:2] == ["memtui", "team"]
            given = read(COMMAND, words[2:])
            assert given is not None and given["verb"] in {verb.name, None}, line
    assert {name for verb in COMMAND.verbs for name in verb.options} == known - {"--json"}, "each is told of"
    assert run(["team", "--help"]) == 0
    assert "memtui team VERB --help" in capsys.readouterr().out
    assert read(share_commands.SYNC, ["--watch"]) is not None


SAID = {
    'connection failed: connection to server at "127.0.0.1", port 5432 failed: fe_sendauth: no password supplied': (
        "db.example:5433 asks ann for a password"
    ),
    'connection failed: FATAL:  password authentication failed for user "ann"': "does not take the password of ann",
    'FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "ann", database "memtui", no encryption': (
        "db.example:5433 does not let ann in from this machine"
    ),
    "SSL error: certificate verify failed": "cannot prove that it is the one: SSL error: certificate verify failed",
    'server certificate for "other.example" does not match host name "db.example"': "a certificate of another name",
    "connection timeout expired": "db.example:5433 does not answer",
    'definition of service "nope" not found': "not in ~/.pg_service.conf",
    "the unheard of": "",
}


@pytest.mark.parametrize("said", SAID)
def test_what_a_driver_says_is_told_with_what_to_do(said: str) -> None:
    from memtui.team.membership import _explain_connection

    told = _explain_connection(said, {"host": "db.example", "port": "5433", "user": "ann"})
    assert SAID[said] in told and bool(told) is bool(SAID[said])


def test_a_server_that_is_not_there_or_not_safe(team: Team, tmp_path: Path) -> None:
    """By the real driver: nothing listens, no such machine, no TLS beyond this machine, no such database."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    proxy = Proxy(team.dsn)
    bob = Machine(tmp_path / "bob", team.dsn, team.who("bob"), "desk")
    name = team.owner.info.dbname
    try:
        for address, told in (
            (f"postgresql://ann@127.0.0.1:{port}/memtui", f"Nothing listens at 127.0.0.1:{port}"),
            (f"host={tmp_path} user=ann dbname=memtui", f"Nothing listens at {tmp_path}"),
            ("postgresql://ann@db.nowhere.invalid/memtui", "No machine is called db.nowhere.invalid"),
            (
                f"host=db.example hostaddr=127.0.0.1 port={proxy.port} user=ann gssencmode=disable sslmode=verify-full",
                "speaks no TLS",
            ),
            (
                f"host=127.0.0.1 port={proxy.port} user=no-one dbname={name} sslmode=disable gssencmode=disable",
                "knows nobody called no-one" if team.dsn.startswith("postgresql://postgres:@/") else "no-one",
            ),
            (
                f"host=127.0.0.1 port={proxy.port} user=postgres dbname=nodb sslmode=disable gssencmode=disable",
                "has no database of that name",
            ),
        ):
            assert told in bob.run("team", "join", address, "--password-command", "true", status=4), address
        service = f"[memtui]\nhost=127.0.0.1\nport={port}\nuser=ann\n"
        (bob.folder / ".pg_service.conf").write_text(service)
        told = bob.run("team", "join", "service=memtui", "--password-command", "true", status=4)
        assert f"Nothing listens at 127.0.0.1:{port}" in told
        assert "not in ~/.pg_service.conf" in bob.run("team", "join", "service=none", status=4)
        told = bob.run("team", "join", "host=127.0.0.1", "--password-command", "/bin/nothing -s x", status=4)
        assert "/bin/nothing: " in told and "-s x" not in told
        assert "ended with 1" in bob.run("team", "join", "host=::1", "--password-command", "false", status=4)
    finally:
        proxy.close()


def test_what_the_server_refuses_is_told_in_the_persons_language(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk", "reader")
    assert f"“{team.name}” would be left without an admin" in ann.run("team", "leave", status=3)
    assert "is no admin of the team" in bob.run("team", "members", "add", "eve", status=3)
    bob.write("MEMORY.md", "- mine\n")
    told = bob.run("team", "share", "--home", str(bob.home), "--yes", status=3)
    assert f"{bob.who} may only read in the team “{team.name}”" in told
    assert not bob.ask("team", "status")[0]["shares"] and not bob.ask("sync")[0]["error"], (
        "what was refused is forgotten"
    )
    ann.env["LANGUAGE"] = ann.env["LANG"] = "zh_CN.UTF-8"
    told = ann.run("team", "leave", status=3)
    assert team.name in told and "admin" in told and "would be" not in told


def test_a_machine_joins_again_and_comes_back(team: Team, tmp_path: Path) -> None:
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    ann.write("MEMORY.md", "- tea at four\n")
    ann.share_all()
    assert bob.ask("sync")[0]["written"] == 1
    before = ann.ask("team", "status")[0]
    again = ann.ask("team", "join", f"{ann.dsn} application_name=again", "--password-command", "echo x")
    after = ann.ask("team", "status")[0]
    assert again["machine"] == "laptop" and after["shares"] == before["shares"]
    assert "again" in after["server"] and "again" not in before["server"]
    assert "as " + bob.who in bob.run("team", "join", ann.dsn, "--team", team.name, status=3)
    # Forgotten while the server was away: its name is taken, by itself.
    ann.run("team", "leave", "--local")
    words = ("team", "join", ann.dsn, "--team", team.name, "--machine", "laptop")
    assert "--yes" in ann.run(*words, status=3)
    ann.run(*words, "--yes")
    assert bob.ask("sync")[0]["removed"] == 1, "nothing is shared until it is said anew"
    assert [row["machines"] for row in ann.ask("team", "members")] == [["laptop"], ["desk"]]


def test_doctor_and_status_say_how_a_team_stands(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = team.add("ann", "laptop")

    def ask_doctor() -> dict[str, str]:
        (found,) = [one for one in ann.ask("doctor")["checks"] if one["name"] == "team"]
        return dict(found)

    good = ask_doctor()
    assert good["state"] == "ok" and f"{team.name}: as of " in good["what"] and not good["remedy"]
    assert exchange(ann, monkeypatch, dsn="host=127.0.0.1 port=1 user=nobody").error
    bad = ask_doctor()
    assert bad["state"] == "note" and "Nothing listens at 127.0.0.1:1" in bad["what"]
    assert bad["remedy"] == f"memtui sync --team {team.name}"
    assert "Nothing listens" in ann.run("team", "status")
    ann.run(*bad["remedy"].split()[1:])
    assert ask_doctor()["state"] == "ok", "the remedy is one"


def test_a_lost_password_is_made_anew_by_who_may(team: Team) -> None:
    """Whoever can set it can be that person, so: oneself, and an admin of every team that they are in."""
    from memtui.team.tables import make_team

    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    (again,) = ann.ask("team", "members", "add", bob.who)
    assert not again["password"]
    (made,) = ann.ask("team", "members", "password", bob.who)
    assert len(made["password"]) > 20 and bob.who in made["join"]

    def read_secret(who: str) -> str:
        found = team.owner.execute("SELECT rolpassword FROM pg_authid WHERE rolname = %s", [who]).fetchone()
        return str(found[0])

    before = read_secret(bob.who)
    assert before.startswith("SCRAM-SHA-256$") and made["password"] not in before
    bob.run("team", "members", "password", bob.who)
    assert read_secret(bob.who) != before
    assert f"may not set the password of {ann.who}" in bob.run("team", "members", "password", ann.who, status=3)
    owner = team.owner.execute("SELECT session_user").fetchone()[0]
    ann.run("team", "members", "password", str(owner), status=3)
    # In a team of which Ann is no admin, too: she could read it as him.
    make_team(team.owner, f"other{team.tag}", "team", bob.who)
    kept = read_secret(bob.who)
    ann.run("team", "members", "password", bob.who, status=3)
    assert read_secret(bob.who) == kept


def test_what_a_colleague_asks_of_a_fact_is_a_sentence_and_answered_with_the_text(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    path = "areas/projects/shop/facts.json"
    fact = {"id": "fact-001", "fact": "deploys run from main", "timestamp": "2026-11-27", "status": "active"}
    place = ann.write(path, json.dumps({"facts": [fact]}, indent=2))
    ann.share_all()
    bob.run("sync")
    (hit,) = bob.ask("search", "deploys")["results"]
    bob.run("team", "offer", hit["id"], "deploys run from release")
    assert exchange(ann, monkeypatch).offered == 1
    (one,) = [one for one in ann.ask("review", "list")["candidates"] if one["origin"] == "asked"]
    assert one["text"] == "deploys run from release"
    ann.run("review", "approve", one["id"])
    assert bob.ask("team", "offer")[0]["state"] == "taken"
    # The save itself says so, as the app's own exchange sends it: nobody waits for the next beat.
    use(ann, monkeypatch)
    held = Exchange(load_memberships()[0], Config())
    try:
        assert held.run(fetch=False, saved=[str(place)]).pushed.sent
    finally:
        held.close()
    assert bob.ask("team", "offer")[0]["state"] == "approved"


def test_a_watch_tells_who_asked_soon_after_it_was_approved(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is written before the decision is: the push that it causes comes too early to tell."""
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    ann.write("MEMORY.md", "- tea at four\n")
    ann.share_all()
    bob.run("sync")
    (hit,) = bob.ask("search", "tea")["results"]
    use(ann, monkeypatch)

    class Early(Exchange):
        """The push of the very save finds no decision yet."""

        def run(self, **given: Any) -> Exchanged:
            with monkeypatch.context() as patch:
                if not given["fetch"]:
                    patch.setattr(exchange_module, "take_offers", lambda *_given: 0)
                return super().run(**given)

    stop, watched = threading.Event(), Early(load_memberships()[0], Config())
    offered = threading.Event()
    work = threading.Thread(target=watched.watch, args=(stop, lambda done: offered.set() if done.offered else None))
    work.start()
    try:
        bob.run("team", "offer", hit["id"], "tea at five")
        assert offered.wait(60)
        (one,) = [one for one in ann.ask("review", "list")["candidates"] if one["origin"] == "asked"]
        ann.run("review", "approve", one["id"])
        until = time.monotonic() + 60
        while bob.ask("team", "offer")[0]["state"] != "approved":
            assert time.monotonic() < until
    finally:
        stop.set()
        watched.ring()
        work.join()


@pytest.mark.parametrize("away", [False, True])
def test_what_is_shared_no_more_may_have_been_read(
    team: Team, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], away: bool
) -> None:
    ann = team.add("ann", "laptop")
    ann.write("MEMORY.md", "- tea at four\n")
    ann.share_all()
    use(ann, monkeypatch)
    if away:
        (member,) = load_memberships()
        save_membership(member._replace(dsn="host=127.0.0.1 port=1 user=nobody"))
    assert run(["team", "unshare"]) == (4 if away else 0)
    told = capsys.readouterr()
    assert ("at the next sync" if away else "removed from the server") in told.out
    assert "Others may have read it" in told.err


def test_a_question_that_is_answered_with_no_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: Callable[[str], bool] = lambda _question: False  # noqa: E731
    monkeypatch.setattr(share_commands, "_ask", asked)
    share = Share("/home/ann/.memtui", "memtui", "shop", ("core",))
    whole = share._replace(project="")
    assert not share_commands._ask_to_share("crew", [share, whole], [])
    told = capsys.readouterr().err
    assert "shop in /home/ann/.memtui; all of /home/ann/.memtui" in told and "Nothing was shared." in told


def test_a_refusal_names_the_team_in_quotes() -> None:
    from memtui.team.membership import _translate_sentence

    assert "The team “team” is for" in _translate_sentence("The team team is for the machines of one person.")
    assert _translate_sentence("permission denied for table file") == ""
