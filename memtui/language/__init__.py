"""One engine that reads talk: memories out of it, and trouble.

sentences   what was said, sentence by sentence, without what was only shown: code, logs, quotations, pasted documents
languages   LANGUAGES, and which of them a text is in; a language is one file of plain data (en, zh), in the shape of
            vocabulary; its signs of trouble stand in trouble_en, trouble_zh
classify    what each sentence does (decides, teaches, reports, asks …) and which trouble it tells of: a linear model,
            trained on labelled talks (tests/language/train.py), its weights in weights.bin
around      the second look at a sentence: by what stands around it; a forest of small trees
subject     what a short sentence is about
dialogue    what was offered or asked, and what an answer to it means
memories    what was decided, learned, left open and done: the last word on a subject counts
work        what the steps tell: commits, files, checks, failures that were put right
outcome     how a session ended, and where the person corrected the agent
summary     `extract`: a session in short. notes: `read_notes`: durable notes out of a free text
trouble     one line and its trouble, by signs; signals: trouble out of summaries and talks; naming: what it is about
wording, items   a sentence put to stand by itself; what is kept of what was found
records     the values: Session, Step, Conversation; Extract, Learned, Signal

It stands below review, lifecycle, sessions and evolution, and imports none of them.
"""
