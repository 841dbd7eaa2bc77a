"""What makes an agent use memtui, and takes it back: hooks, an MCP server, a skill that says when to search.

These files are an agent's settings and no home's, so `Vault.apply` does not write them: it would redact a
person's settings, and its undo knows homes only. They are written by the same commit (atomic, refused where the
file is no longer what was shown, links kept), all or none; what they held is kept below the state directory,
with a record from which `plan_removal` restores them to the byte. Where a file was changed since, or no record
is left, only what is ours goes, known by the program that it calls (reliability T16). Nothing that another tool
put there is switched off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.agents.install import planning

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.agents.install.planning import Carried
    from memtui.agents.install.wiring import Installation, InstallPlan, Options


def plan(agent: str, options: Options, env: Mapping[str, str] | None = None) -> InstallPlan:
    """What would be written for an agent. Raises UsageError for a way it does not have; RefusedError, where a file of
    it cannot be changed safely, UnavailableError.
    """
    return planning.plan_addition(agent, options, env)


def plan_removal(agent: str, options: Options, env: Mapping[str, str] | None = None) -> InstallPlan:
    """What would be taken back: by default all that serves the agent, for this user and in this project."""
    return planning.plan_removal(agent, options, env)


def carry_out(plan: InstallPlan) -> Carried:
    """Do all that the plan says, or nothing. Raises ConflictError where a file changed since, UnavailableError."""
    return planning.carry_out(plan)


def list_installations(env: Mapping[str, str] | None = None) -> list[Installation]:
    """What stands, at least one answer for each agent. Never raises, writes nothing."""
    return planning.list_installed(env)
