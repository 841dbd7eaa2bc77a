"""What agents' sessions leave behind, and what the next one is given: specs 000 to 004 over the one write path.

`session` is who is talking, `conversation` what was said, `extract` what was learned; `capture` writes it down,
`start` hands it back.
"""
