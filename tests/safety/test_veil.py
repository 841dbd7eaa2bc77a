"""What others wrote is shown and indexed with its secrets masked, and never altered (reliability §2.6, T39)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from memtui.formats import mask_text_secrets
from memtui.store.vault import Vault
from tests.safety.secrets import Maker

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_secret_is_nowhere_but_in_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    make = Maker(9)
    token, value, key = make.token(36), make.password(), make.pem()
    home = tmp_path / "home"
    (home / "daily").mkdir(parents=True)
    text = f"# Notes\n\n- deploy token: {token}\n- 数据库密码是 {value}，勿外传\n\n## Key\n\n{key}\n\nlast line\n"
    (home / "MEMORY.md").write_text(text, encoding="utf-8")
    facts = json.dumps([{"id": "f1", "content": f"password: {value}", "type": "fact"}], ensure_ascii=False)
    (home / "facts.json").write_text(facts, encoding="utf-8")
    with Vault.open([home]) as vault:
        shown = [memory.text for memory in vault.memories()]
        shown += [vault.get("MEMORY.md", 1, 500).text, vault.get("facts.json", 1, 50).text]
        for mode in ("fts", "scan"):
            shown += [
                hit.snippet
                for word in ("deploy", "数据库密码", "password", "last")
                for hit in vault.find(word, mode=mode)
            ]
            assert not any(token in hit.snippet for hit in vault.find(token, mode=mode))
        assert any("redacted" in passage for passage in shown)
        assert vault.get("MEMORY.md", 1, 500).text.count("\n") == text.count("\n") - 1
    everything = "\n".join(shown).encode()
    for folder, _, names in os.walk(tmp_path / "CACHE"):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                everything += file.read()
    # The index holds words in lower case.
    for secret in (token, value, key.split("\n")[1]):
        assert secret.encode() not in everything
        assert secret.lower().encode() not in everything
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == text


def test_what_held_no_secret_is_looked_at_again_once_it_changed(tmp_path: Path) -> None:
    make = Maker(11)
    token = make.token(36)
    home = tmp_path / "home"
    home.mkdir()
    file = home / "MEMORY.md"
    file.write_text(
        f"# Notes\n\n- deploy token: {'in the vault of the team':{len(token)}}\n", encoding="utf-8"
    )
    with Vault.open([home]) as vault:
        refs = vault.ids()
        first = [one.text for one in vault.load(refs) if one]
        assert any("in the vault" in text for text in first)
        # Of the same size, and the index has not heard of it: only its bytes tell.
        file.write_text(f"# Notes\n\n- deploy token: {token}\n", encoding="utf-8")
        assert not any(token in one.text for one in vault.load(refs) if one)
        vault.refresh()
        shown = [one.text for one in vault.memories()]
    with Vault.open([home]) as vault:
        shown += [one.text for one in vault.memories()]
    assert len(shown) == 2
    assert all("…" in text and token not in text for text in shown)


def test_json_stays_json() -> None:
    text = '{"password": 48151623, "pin": "x", "items": [{"api_key": "TOKEN"}]}'.replace(
        "TOKEN", Maker(3).token(32)
    )
    assert json.loads(mask_text_secrets(text))["password"] == "[redacted:password]"
