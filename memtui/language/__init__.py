"""One engine that reads natural language: memories and trouble out of conversations, and what remembered sentences say.

    conversation                 the values: Session, Step, Conversation; Learned, Extract, Signal; SIGNAL_TYPES
    transcript_reading           a transcript as a Conversation
    sentences                    a turn split into sentences, without what was only shown; LANGUAGES
    en, zh                       the data of a language: its words, in the shape of `conversation.Language`, and its signs of trouble
    classify                     what a sentence does and which trouble it tells of: a linear model (weights.bin)
    reports                      which of all that an agent tells at length is kept: a linear model (reports.bin)
    subject                      what a short sentence is about: the sentences before it that say so
    dialogue, memories, work     what an answer means; what was decided, learned and left open; what was done
    outcome, items, summary      how the session ended; a sentence made to stand alone; all of it in short
    signals, trouble             trouble in summaries and conversations; the trouble that one line tells of
    trouble_kinds                kinds of trouble by name
    naming                       what trouble is about
    statements, claims           what a sentence says, and which value it gives to what
    similarity, kin              which texts say the same

Floor: above search, below store, review, lifecycle, sessions and evolution. Doors: `summary.extract`,
`summary.read_notes` (durable notes out of any text), `signals`, `transcript_reading.read`, `similarity`,
`statements`.
"""
