"""Faults, made on purpose and counted: `python -m tests.faults [--quick]`.

Every fault goes through the door that people, hooks and agents use, `Vault.apply`; what was acknowledged is written
down outside the place where the fault happens, and is looked for afterwards.
"""
