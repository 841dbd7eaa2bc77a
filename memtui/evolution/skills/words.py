"""What a drafted skill says in its own words, English or Chinese: for agents, so it is no part of the interface."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """One language's."""

    types: dict[str, tuple[str, str]]
    """Type of signal -> what it is called, and what to do first whenever it comes up."""
    description: str
    triggers: str
    """With what stands before and after it."""
    title: str
    intro: str
    when: str
    steps: str
    unsolved: str
    end: str
    heard: str
    said: str
    comma: str


ENGLISH = Words(
    {
        "error": ("errors", "Read the whole message and the first line of the trace that is the project's own."),
        "correction": ("corrections by the user", "Say what you are about to do before you do it."),
        "capability_gap": ("missing capabilities", "Find out what is there before you plan around what is not."),
        "recurring_issue": ("trouble that comes back", "Look for the cause before the same fix is tried again."),
        "environment_issue": ("environment trouble", "Check versions, variables, paths and running services."),
        "dependency_issue": ("dependency trouble", "Compare the locked versions with those that are installed."),
        "performance_issue": ("performance trouble", "Measure before anything is changed, and afterwards."),
        "security_issue": ("security trouble", "Find out what is exposed, and to whom, before anything is moved."),
    },
    "Use when {what} comes up: it came back in {count} sessions, and this is what helped.",
    " Trigger words: ",
    "{what}",
    "This came back in {count} sessions. What stands below are notes of them: check each against the code and the"
    " tools as they are now.",
    "When",
    "Steps",
    "No session says what helped: write it down here when one does.",
    "Say which step helped, so that it is remembered.",
    "Where it was heard",
    "session {session}",
    ", ",
)  # fmt: skip

CHINESE = Words(
    {
        "error": ("错误", "先读完整的报错信息，并找到调用栈中属于本项目的第一行。"),
        "correction": ("用户纠正", "动手之前先说明打算怎么做。"),
        "capability_gap": ("能力缺口", "先弄清楚已有什么，再绕开没有的部分。"),
        "recurring_issue": ("反复出现的问题", "重复同样的修复之前，先找到原因。"),
        "environment_issue": ("环境问题", "先检查版本、环境变量、路径和正在运行的服务。"),
        "dependency_issue": ("依赖问题", "对比锁定的版本与实际安装的版本。"),
        "performance_issue": ("性能问题", "改动之前和之后都要测量。"),
        "security_issue": ("安全问题", "移动任何东西之前，先弄清楚暴露了什么、暴露给谁。"),
    },
    "当出现{what}时使用：它在 {count} 个会话中反复出现，这里是当时有效的做法。",
    "触发条件词：",
    "{what}",
    "它在 {count} 个会话中反复出现。以下是这些会话的记录：请对照现在的代码和工具逐条核实。",
    "触发条件",
    "步骤",
    "还没有会话说明什么有效：找到后写在这里。",
    "说明哪一步有效，以便记住。",
    "出现的会话",
    "会话 {session}",
    "、",
)  # fmt: skip
