"""Level two of spec 003's search: what was said and done in conversations, word for word, with tools and results.

`search.search_traces` finds turns, `unfolding.unfold` shows them whole. They have an index of their own beside the
home's, made when somebody first asks: tokens and offsets only, of texts whose secrets were masked before. What is
shown is read from the transcripts, and masked again.
"""
