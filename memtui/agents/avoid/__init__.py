"""The avoidance gate (spec 002): an edited file checked against rules of what went wrong before.

Tier 1 is data: TOML files of rules, by path and pattern or by the shape of Python code; the shipped ones, those
of the homes, those of the project. Tier 2 (`gate.ask`) asks a model and is off by default. Nothing here decides
what a hook answers: a finding says `block` or `warn`, and `format_findings` words it for the agent.
"""

from __future__ import annotations

from memtui.agents.avoid.avoid_rules import AvoidFinding, format_findings
from memtui.agents.avoid.gate import examine

__all__ = ("AvoidFinding", "examine", "format_findings")
