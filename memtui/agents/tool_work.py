"""What the tools for agents call: loaded by the first call, for a server starts with every session."""

from __future__ import annotations

from memtui import llm
from memtui.evolution import experiences
from memtui.evolution.effects import load_values
from memtui.layouts import can_take
from memtui.review import proposals, queue
from memtui.sessions import distribute, forms, identify, jobs, start
from memtui.store import append, project, retention, standing


class ToolWork:
    """One name for each piece of work."""

    find_session = staticmethod(identify.find_current_session)
    note_silent_session = staticmethod(jobs.note_silent_session)
    find_surroundings = staticmethod(project.detect_session_surroundings)
    suggest_project = staticmethod(project.suggest_project)
    derive_project_key = staticmethod(project.derive_project_key)
    name_project = staticmethod(project.name)
    derive_address_key = staticmethod(project.derive_remote_key)
    find_keyed_home = staticmethod(project.find_keyed_home)
    choose_summary_home = staticmethod(project.choose_summary_home)
    find_own_home = staticmethod(project.find_own_home)
    make_home = staticmethod(project.make_home)
    can_take = staticmethod(can_take)
    open_taking_home = staticmethod(project.open_taking_home)
    load_session_start = staticmethod(start.load_session_start)
    load_values = staticmethod(load_values)
    append = staticmethod(append.append)
    flush = staticmethod(distribute.flush)
    record_summary = staticmethod(forms.record)
    compute_expiry = staticmethod(retention.compute_expiry)
    explain_no_model = staticmethod(llm.why_not)
    distribute = staticmethod(distribute.distribute)
    approve_clear = staticmethod(queue.approve_clear)
    propose = staticmethod(queue.propose)
    aim_draft = staticmethod(proposals.aim_draft)
    find_open_home = staticmethod(standing.find_open_home)
    resolve_experience = staticmethod(experiences.resolve_experience)
