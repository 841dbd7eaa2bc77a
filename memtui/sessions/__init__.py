"""What agents' sessions leave behind, and what the next session is given (specs 000 to 004).

Floor: above store, beside review, lifecycle and evolution. Doors: `identify` (which session this is),
`capture.capture` (a session written down), `distribute` (what it taught), `start.load_session_start` (what a
new one is given), `jobs` (what hooks leave for the worker), `rules` and `scratchpad`.
"""
