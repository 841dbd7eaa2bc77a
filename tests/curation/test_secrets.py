"""Secrets that stand in files already: shown masked, masked when a person says so, and kept by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.errors import RefusedError
from memtui.fs.places import state
from memtui.review import queue
from memtui.safety.redact import propose_secrets, redact
from memtui.store.candidates import Candidate
from memtui.store.vault import Vault
from tests.curation.facts_of import memtui, record, skillix
from tests.homes import read_files

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
KEY = "-----BEGIN RSA PRIVATE KEY-----\n" + ("MIIEowIBAAKCAQEA" * 4 + "\n") * 3 + "-----END RSA PRIVATE KEY-----"


def secrets_of(vault: Vault) -> list[Candidate]:
    return [candidate for candidate in queue.load_queue(vault).waiting if candidate.origin == "secret"]


def nowhere(secret: str, *roots: Path) -> bool:
    return all(secret.encode() not in data for root in roots for data in read_files(root).values())


def test_a_secret_is_shown_masked_with_its_place(tmp_path: Path) -> None:
    home = memtui(tmp_path, {}, f"# MEMORY\n\n## Facts\n\n- ok\n- deploy with {SECRET} today\n- 中文\n")
    with Vault.open([home]) as vault:
        (found,) = secrets_of(vault)
        assert (found.sources[0].path, found.sources[0].line) == ("MEMORY.md", 6)
        assert SECRET not in repr(found) and found.text.startswith("- deploy with ")
        shown = queue.diff(vault, found)
        assert SECRET not in shown
        assert f"-- deploy with ‹{len(SECRET)} characters› today\n" in shown
        assert "+- deploy with ghp_…" in shown


def test_masking_takes_it_out_and_nothing_brings_it_back(tmp_path: Path) -> None:
    text = f"# MEMORY\r\n\r\n## Facts\r\n\r\n- 中文 {SECRET}, and more\r\n- 二"
    home = memtui(tmp_path, {}, "x")
    (home / "MEMORY.md").write_bytes(text.encode())
    with Vault.open([home]) as vault:
        (found,) = secrets_of(vault)
        receipt = queue.approve(vault, found)
        assert receipt.verb == "mask"
        after = (home / "MEMORY.md").read_bytes()
        before, _secret, behind = text.partition(SECRET)
        assert after.startswith(before.encode()) and after.endswith(behind.encode()) and SECRET.encode() not in after
        assert not secrets_of(vault)
        assert nowhere(SECRET, home, state()), [p for p, d in read_files(state()).items() if SECRET.encode() in d]
        with pytest.raises(RefusedError):
            vault.undo(receipt.id)
        assert (home / "MEMORY.md").read_bytes() == after


def test_a_key_of_many_lines_is_one_secret(tmp_path: Path) -> None:
    home = memtui(tmp_path, {}, f"# MEMORY\n\n## Facts\n\n- before\n\n{KEY}\n\n- after {SECRET}\n")
    with Vault.open([home]) as vault:
        assert len(secrets_of(vault)) == 2
        for found in secrets_of(vault):
            queue.approve(vault, found)
        text = (home / "MEMORY.md").read_text("utf-8")
        assert "MIIEowIBAAKCAQEA" not in text and SECRET not in text
        assert text.startswith("# MEMORY\n\n## Facts\n\n- before\n\n") and "- after " in text
        assert not secrets_of(vault)


def test_in_json_the_record_stays_one(tmp_path: Path) -> None:
    lines = [
        record(f"token 是 {SECRET} 请保存", "2026-02-20", 1),
        record("接口必须返回统一结构", "2026-02-20", 2),
    ]
    home = skillix(tmp_path, {"2026-02-20": lines})
    with Vault.open([home]) as vault:
        (found,) = secrets_of(vault)
        queue.approve(vault, found)
        memory = vault.at(str(home.resolve()), "daily/2026-02-20.jsonl", 1)
        assert memory is not None and memory.text.startswith("token 是 ") and SECRET not in memory.text
        assert not vault.status()[0].problems


def test_it_is_found_where_it_moved_to_and_refused_where_it_is_gone(tmp_path: Path) -> None:
    home = memtui(tmp_path, {}, f"# MEMORY\n\n- {SECRET}\n")
    with Vault.open([home]) as vault:
        (found,) = secrets_of(vault)
        (home / "MEMORY.md").write_text(f"# MEMORY\n\n- one\n- two\n- {SECRET}\n", "utf-8")
        queue.approve(vault, found)
        assert (home / "MEMORY.md").read_text("utf-8").startswith("# MEMORY\n\n- one\n- two\n- ")
        with pytest.raises(RefusedError):
            queue.approve(vault, found)


def test_a_person_may_say_that_it_is_none(tmp_path: Path) -> None:
    home = memtui(tmp_path, {}, f"# MEMORY\n\n- {SECRET}\n")
    with Vault.open([home]) as vault:
        queue.reject(vault, secrets_of(vault)[0], "an example")
        assert not secrets_of(vault)
        assert nowhere(SECRET, state())


def test_one_secret_in_many_places_is_one_card_and_goes_from_all_of_them(tmp_path: Path) -> None:
    home = memtui(tmp_path, {"2026-02-20": f"# 2026-02-20\n\n- [fact] the bot signs in with {SECRET}\n"}, "x")
    other = "gh" + "p_" + "z9Y8x7W6v5U4" * 3
    (home / "MEMORY.md").write_text(
        f"# MEMORY\n\n- CI uses {SECRET}, twice: {SECRET}\n- both: {other} and {SECRET}\n", "utf-8"
    )
    with Vault.open([home]) as vault:
        first, second = secrets_of(vault)
        assert first.id != second.id
        both = first if len(first.sources) > len(second.sources) else second
        places = {(place.path, place.line) for place in both.sources}
        assert {("MEMORY.md", 3), ("MEMORY.md", 4)} < places and len(places) == 3
        assert both.reason.endswith(" of 40 characters in 3 places: it becomes ghp_…e5F6")
        assert SECRET not in repr(both)
        queue.approve(vault, both)
        assert nowhere(SECRET, home, state())
        (left,) = secrets_of(vault)
        assert other in (home / "MEMORY.md").read_text("utf-8") and left.sources[0].line == 4
        queue.reject(vault, left, "a sample")
        assert not secrets_of(vault)


def test_lines_that_are_alike_without_their_passwords_are_decided_one_by_one(tmp_path: Path) -> None:
    entries = "".join(
        f"## Camera {n}\n\n- password: {word}\n\n" for n, word in enumerate(("Tor-7#kx9", "Zaun!82Qm", "Bad-4?qy8"))
    )
    home = memtui(tmp_path, {}, f"# MEMORY\n\n{entries}")
    with Vault.open([home]) as vault:
        first, second, third = secrets_of(vault)
        assert len({first.id, second.id, third.id}) == 3
        queue.reject(vault, second)
        for one in (first, third):
            queue.approve(vault, one)
        text = (home / "MEMORY.md").read_text()
        assert "Zaun!82Qm" in text and "Tor-7#kx9" not in text and "Bad-4?qy8" not in text


def test_what_is_written_down_of_a_decision_tells_nobody_a_password(tmp_path: Path) -> None:
    ids = set()
    for number, password in enumerate(("Xk9#mP2vL", "Qz7!tR4wN")):
        home = memtui(tmp_path / str(number), {}, f"# MEMORY\n\n- the password is {password}\n")
        with Vault.open([home]) as vault:
            (found,) = secrets_of(vault)
            ids.add((found.text, found.reason.partition(":")[0]))
    assert len(ids) == 1


def test_of_a_shortened_key_and_a_day_there_is_no_card(tmp_path: Path) -> None:
    lines = "- new key: `sk-ant-api03-nWmPcIGHRt_...8QAA`\n- # Audit, second pass (2026-02-22)\n"
    lines += "- Login: guest@example.com / Password: kettle12345\n"
    home = memtui(tmp_path, {}, f"# MEMORY\n\n## Facts\n\n{lines}")
    with Vault.open([home]) as vault:
        assert not secrets_of(vault)


def test_a_variable_that_is_passed_and_a_commit_are_no_password_and_one_that_begins_with_a_sign_is(
    tmp_path: Path,
) -> None:
    lines = "- pass `SHOP_DEPLOYMENT=useful-ox-860` as variable\n- the secret railway ticket: a3e19d76\n"
    home = memtui(tmp_path, {}, f"# MEMORY\n\n## Facts\n\n{lines}- Senha: @CiaoKettle2955\n")
    with Vault.open([home]) as vault:
        (card,) = secrets_of(vault)
        assert "Senha" in card.text


def test_one_secret_of_two_checkouts_is_one_card_that_masks_it_in_both(tmp_path: Path) -> None:
    text = f"# MEMORY\n\n## Facts\n\n- deploy with {SECRET} today\n"
    homes = [memtui(tmp_path / "work" / name, {}, text) for name in ("one", "two")]
    together = [home.rename(tmp_path / "work" / f"home-{number}") for number, home in enumerate(homes)]
    with Vault.open(together) as vault:
        (found,) = secrets_of(vault)
        assert {source.home for source in found.sources} == set(map(str, together))
        queue.approve(vault, found)
        assert nowhere(SECRET, *together)
        assert secrets_of(vault) == []


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("The strongbox in the shed opens with 31-07-64.", "31-07-64"),
        ("后院门锁按 6604# 开。", "6604#"),
        ("Mum's tablet unlocks with 730915 these days.", "730915"),
        ("The intercom wants a number: 5186 when it asks.", "5186"),
        ("For the wiki on the Pi just type guest and bachforelle!6.", "bachforelle!6"),
        ("Antwort auf die Sicherheitsfrage ist Kirschallee.", "Kirschallee"),
        ("Windows key from the sticker: QX7PN-22KLM-0WERT-9ZXCV-HJ4D8", "QX7PN-22KLM-0WERT-9ZXCV-HJ4D8"),
    ],
)
def test_what_only_its_surroundings_tell_is_proposed_and_never_masked_by_itself(
    line: str, value: str, tmp_path: Path
) -> None:
    home = memtui(tmp_path, {}, f"# MEMORY\n\n## Facts\n\n- {line}\n- 中文\n")
    with Vault.open([home]) as vault:
        (found,) = secrets_of(vault)
        assert value not in repr(found) and dict(found.parts)["sure"] == "by its surroundings"
        assert redact(line).text == line
        queue.approve(vault, found)
        assert not secrets_of(vault) and nowhere(value, home, state())


HARMLESS = """
The strongbox in the shed was moved to shelf 31-07.
The intercom rang 5186 times in 2025.
后院门锁坏了，型号 6604。
For the wiki log in as guest and read page 7.
Mum's tablet runs 17.3.1 since May 2026.
The answer to the security question is in the vault.
Port 8443 is open at the gateway.
Licence AGPL-3.0-ONLY, see NOTICE.
The alarm fires when the queue holds 50000 entries.
"""


def test_numbers_beside_doors_are_not_all_keys_to_them() -> None:
    assert [line for line in HARMLESS.splitlines() if propose_secrets(line)] == []
