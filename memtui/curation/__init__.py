"""Verbs over the vault: what a person or an agent decides about memories (specs 002 to 004)."""
