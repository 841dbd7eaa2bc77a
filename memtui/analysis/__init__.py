"""What is computed about memories, apart from what a person sees: Review's queue, the evolution overview, effects.

Rows of memories come from the index at once. What has to be worked out of all of them together (what is said twice,
what contradicts what, what came back) takes seconds on a large home, so it is worked out by one process of low
priority (`process`), kept in a derived file beside the index (`derived`), and read from there by whoever shows it
(`analyst`). Deleting that file loses nothing.
"""
