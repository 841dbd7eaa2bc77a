"""Skills made from patterns (spec 002, 能力自动生成): drafted, waiting in Review, installed once a person approves.

| module | which question it answers |
|---|---|
| capability | May a skill be made of this pattern, and what does approving it write? |
| lessons | What helped against the pattern, in the sessions that had it? |
| drafting, words | What does the draft say: by template, or by a model? |
| skill | Is this a SKILL.md that every agent can read? |
| proposed | Which drafts wait for a person? |
| places | Where do skills go, and which index lists them? |
| records | What do capabilities.jsonl and generator_state.json say, and how is that written? |
| installed | Which skills did memtui install, how do they stand on disk, and how does one go? |
"""
