"""One engine that reads natural language: memories and trouble out of conversations, and what remembered sentences say.

    sentences, wording           a turn split into sentences, without what was only shown; one made to stand alone
    languages, cues, en, zh      LANGUAGES; the shape of a language's data, and one module of data each
    classify                     what a sentence does and which trouble it tells of: a linear model (weights.bin)
    around, subject              a second look at a sentence by what stands around it; what a short one is about
    conversation                 the values: Session, Step, Conversation; Learned, Extract, Signal
    transcript_reading           a transcript as a Conversation
    dialogue, memories, work     what an answer means; what was decided, learned and left open; what was done
    outcome, summary, items      how the session ended; `summary.extract`: it in short; what is kept of it
    free_text                    durable notes out of any text
    signals, trouble*            trouble out of summaries and conversations; its signs, by language
    naming, roots                what trouble is about
    statements, claims           what a sentence says, and which value it gives to what
    similarity, kin              which texts say the same

Floor: above search, below store, review, lifecycle, sessions and evolution. Doors: `summary.extract`,
`free_text.read_notes`, `signals`, `transcript_reading.read`, `similarity`, `statements`.
"""
