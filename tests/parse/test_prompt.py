"""What a person typed, out of what clients put around it."""

from __future__ import annotations

import pytest

from memtui.formats.transcripts import extract_command, extract_typed_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  修复登录  ", "修复登录"),
        ("why is <div> here?", "why is <div> here?"),
        ("<system-reminder>\nx\n</system-reminder>\nreal", "real"),
        ("before <system-reminder>never closed", "before"),
        ("<environment_context>\n<cwd>/x</cwd>\n</environment_context>", ""),
        ("# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\ny\n</INSTRUCTIONS>", ""),
        ("# Context from my IDE setup:\n\n## My request for Codex:\n做这个\n", "做这个"),
        ("# A heading of my own\n\n- do it", "# A heading of my own\n\n- do it"),
        ("<local-command-stdout>out</local-command-stdout>", ""),
        ("<command-name>/x</command-name>", ""),
        ("[Request interrupted by user]", ""),
        ("", ""),
    ],
)
def test_typed(text: str, expected: str) -> None:
    assert extract_typed_text(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<command-message>x</command-message><command-name>/review</command-name><command-args>a b</command-args>",
            "/review a b",
        ),
        ("<command-name>clear</command-name>", "/clear"),
        ("<bash-input>ls -la</bash-input>", "! ls -la"),
        ("plain words", ""),
        ("<b>", ""),
    ],
)
def test_command(text: str, expected: str) -> None:
    assert extract_command(text) == expected


@pytest.mark.parametrize("tag", ["<skill ", "<skill>", "<command-name>", "<bash-input>", "<system-reminder"])
def test_a_wall_of_open_tags_takes_no_time(tag: str) -> None:
    wall = tag * (1_000_000 // len(tag))
    assert len(extract_typed_text(wall)) <= len(wall)
    assert extract_command(wall) == ""
