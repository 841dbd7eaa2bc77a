"""Learning from use (spec 002, 自进化系统): what experiences did, which problems come back, which skills follow.

The append-only logs below `evolution/` are the truth; everything shown is worked out from them, and from the sessions
that nobody has heard yet. Policies are functions of events and a clock; what writes goes through the vault.

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

| module | which question it answers |
|---|---|
| events, dialect | What can stand in a log, and how is it written? |
| log, ledger | What does one log say; which logs tell of a home, and what do they say together of experiences? |
| audit, settling | Who writes into a log, and which one is it? |
| experience, effect | Which memory is meant; what did it do? |
| worth, weak | What is it worth to a session's start; is it to be archived? |
| outcomes, uses | How did a session go; which lessons did the agent use in it? |
| hearing | Which trouble was there in a session? |
| ending, backfill | What is noted at a session's end; what of old sessions that nobody noted? |
| past | Which sessions does a home have, heard or not, and how did they go? |
| wording, kindred, troubles | Which signals tell of the same trouble, and which of those came back? |
| patterns, shifts | What comes back, and how grave is it; what is another than a week ago? |
| gates, skills | May a skill be drafted; and all that is about skills |
| overview, report | All of it for the app and the command line; the same as spec 002's report |
"""
