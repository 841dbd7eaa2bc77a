"""Learning from use (spec 002, 自进化系统): what experiences did, which problems come back, which skills follow.

The append-only logs below `evolution/` are the truth; everything shown is computed from them and from the
sessions that nobody has heard yet. Policies are functions of events and a clock; what writes goes through the
vault.

Floor: above store, beside review, lifecycle and sessions. Doors: `audit` (the log), `overview.load_overview`
(all that is shown), `effects` (its values), `experiences`, `patterns`, `sessions_read.note_session_end`,
`skill_proposals`.

| word | meaning |
|---|---|
| experience | a memory whose use is noted: a lesson or rule, by the id that spec 002 gives it |
| ref, outcome | an experience was used in a session; how a session went |
| effect, value | what an experience did, out of refs and outcomes; the same by now, with its age (0 to 1) |
| verdict | what a person says of an experience: helpful, wrong or stale |
| signal, heard | a sign of trouble in a session; all signals of one session |
| pattern, problem | a type of signal that comes back; the same, told more closely by what it is about |
| settled | what a person says of a pattern: addressed, suppressed, or active again |
| shift | what is another than it was a week ago |
| gate, capability | a condition before a new skill is drafted; a skill made from a pattern |
"""
