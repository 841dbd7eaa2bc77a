"""What somebody typed, as terms to look for. Any text at all is a valid query.

Words are ORed and ranked: asking for all of them at once finds nothing for most questions. One short quoted
part must occur exactly, `-word` must not occur, and while typing the last word is also a prefix. Several quoted
parts, or a long one, are dialogue or a log that somebody pasted: these are words, and better where they stand
together.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import pairwise

from memtui.core.startup import compile_pattern
from memtui.core.text import CJK_RUN, PART, normalize_width, segment_text
from memtui.search import vocabulary
from memtui.search.terms import ASCII_WORD, WORD, Term, TermPiece, fold, split_cjk_runs, stem_word
from memtui.search.terms import MEANT as MEANT_SAME
from memtui.search.thesaurus import LONGEST as LONGEST_WORD
from memtui.search.thesaurus import is_vocabulary_word, list_irregular_forms, list_synonyms
from memtui.search.variants import Scripts, simplify_characters

MEANT = 400
"""Bytes of a question that a model is given whole, so that a Chinese character counts as three letters."""

TURN = 250
"""Bytes that it is given of what is longer: that was pasted, and its end is what is asked."""

LONGEST = 2000
"""Characters of a query that are looked at, its last ones."""

MOST = 128
"""Terms that the index is asked for at once, the last ones of a query."""

QUOTED = 5
"""Words in quotes that are demanded; a longer part hardly stands anywhere to the letter."""

SPOKEN = 200
"""Characters of a sentence that is looked for in other words as well; what is longer was pasted."""

CHARACTERS = 24
"""Single characters that score."""

LONG, TERSE = 5, 8
"""Characters from which on what is asked is a sentence, so that memories are looked for by each of them; without any
word that sentences have, it is a name until it is so long."""

FAINT = 0.3
"""What a single character is worth beside a pair."""

_LONGEST_RUN = 40
_CHUNK = compile_pattern(r'(-?)"([^"]*)"?|([^\s"]+)')
# As keyboards and editors make them.
_QUOTES = str.maketrans("“”„‟＂「」『』«»〝〞﹁﹂﹃﹄－−", '"' * 17 + "--")
_PAUSE = compile_pattern(r"[.!?…](?=\s)|[。！？\n]")
_UNFIT = compile_pattern("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
IDENTIFIER = compile_pattern(r"[^\W_]+(?:[_\-./:\\@#+]+[^\W_]+)+")
"""Words held together by what is no letter: memory_search, src/app.py, v1.2.3, me@example.org."""

_SCHEME = compile_pattern(r"[A-Za-z][A-Za-z0-9]{1,8}://(?=[^\W_])")
_NUMBERED = compile_pattern(r"(?<=[A-Za-z]):\d+(?::\d+)?$")
_VERSION = compile_pattern(r"[vV]?(?=\d+\.\d)(\d+(?:[.+\-]\w+)+)")
# A mark before or behind: --force, .env, #123, @main, $HOME, /etc, C++, C#.
_MARKED = compile_pattern(r"(?:[.#@$/~\-]+[^\W_]\S*|\S*[A-Za-z][+#]+)(?=$|[,.;:!?)\]}，。；：！？）」])")
_SENTENCE = ",.;:!?()[]{}，。；：！？（）「」"
_LONGEST_MARKED = 80
# What may follow a stem in a word that is not finished yet: 'configurati' must find 'configur'.
_SUFFIXES = (
    "ational ation ations ative ately ating ated ator ators ing ings ingly ed edly er ers ment ments ness fulness "
    "ousness iveness ization izations izer izers izing ized ity ities ility ability ably able ible ies ied ion ions "
    "ical ically ance ances ence ences es ent ant ous ously al ally ism ive ives"
)
_ENDINGS = tuple(_SUFFIXES.split())

IDLE = 0.4
"""What a word that says little in the query's language is worth beside another."""

LIGHT = 0.6
"""What a word that says where, when or how much is worth in a sentence."""

INFLECTED = 0.95
"""What another form of an irregular word is worth."""

ROOTED = 1.8
"""What another form of a word is worth, of which each counts half (`Term._spanned`)."""

ROOT = 4
"""Letters of the shortest root whose other endings are looked for."""

_RUSSIAN = (
    "ениями ениях ением ения ение ений ами ями ого его ому ему ыми ими ать ять ить еть ает ают яет яют ила или ило ала"
    " али ало ов ев ей ах ях ам ям ом ем ой ый ий ая яя ое ее ые ие ую юю ть ет ют ут ят ит ла ли ло л ы и а я о е у ю"
    " ь"
)
_CYRILLIC = tuple(sorted(_RUSSIAN.split(), key=len, reverse=True))
"""Endings, the longest first."""

_ROMANCE = (
    "amente mente amento imento amenti imenti acoes acao coes cao zione zioni ciones cion tion tions ador adora"
    " adores ados adas idos idas ado ada ido ida ato ata ati ate ito ita iti ite uto uta uti ute ando endo indo iendo"
    " aram eram iram aron ieron avam avano evano aba aban ava eva iva asse esse isse ariam ar er ir are ere ire ano"
    " ono iamo amos emos imos ou iu ei eu am em an en ens ent ais eis oes aux as os es us a o e i s"
)
_GERMAN = "ungen ung heiten heit keiten keit lichen liche lich isch en em er es e n s t"
_LATIN = tuple(sorted(f"{_ROMANCE} {_GERMAN}".split(), key=len, reverse=True))

LATIN_ROOT = 6
"""Letters of the shortest root in Latin letters: of shorter ones too many other words begin with them."""

Terms = dict[str, Term]
"""Terms by what the index is asked, each once."""


class Query:
    """A query, understood. Empty `terms` with `literal`: no word in it, only characters to be found as they are."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.terms: list[Term] = []
        """What a hit may hold; the more the better."""
        self.required: list[Term] = []
        """Quoted: what it must hold. These are among `terms` as well."""
        self.typing = False
        self.spoken = False
        """It is a sentence: some of its words say nothing by themselves."""
        self.excluded: list[Term] = []
        self.runs: tuple[str, ...] = ()
        """The one CJK run that the whole query is, in both scripts, or a sentence as it stands: memories that hold it
        come before all others."""
        self.literal = ""
        self.parts: list[Term] = []
        """The words of identifiers, one by one: looked for when nothing holds the whole."""

    @property
    def meant(self) -> str:
        """What a model is given: the query without what it refuses, and without quotes."""
        kept = " ".join(
            quoted or plain or ""
            for refused, quoted, plain in _CHUNK.findall(self.text.translate(_QUOTES))
            if not refused
        )
        words = [word for word in kept.split() if not (word[0] == "-" and word[1:2].isalnum())]
        return _end(" ".join(words) or self.text)

    def unquoted(self) -> Query:
        """The same query, what is quoted only preferred."""
        return _parse(self.text, self.typing, False)

    def loosened(self) -> Query:
        """The same query for the words of its identifiers as well."""
        looser = Query(self.text)
        looser.terms = [*self.terms, *self.parts]
        looser.required, looser.excluded = self.required, self.excluded
        return looser

    @cached_property
    def match(self) -> str:
        """The expression for FTS5; empty when the index has no answer."""
        return self.expression([term.fts for term in self.terms if term.fts and not term.faint])

    def widened(self, faint: list[Term]) -> str:
        """The same with these of its single characters."""
        strong = [term.fts for term in self.terms if term.fts and not term.faint]
        return self.expression([*strong, *(term.fts for term in faint)])

    def expression(self, wanted: list[str]) -> str:
        """An FTS5 expression for any of `wanted`, and what the query demands and refuses."""
        every = [term.fts for term in self.required]
        if not wanted and not every:
            return ""
        # What is demanded is a match by itself; the others only rank, so they need not be asked for.
        found = " AND ".join(f"({fts})" for fts in every) if every else " OR ".join(wanted)
        refused = " OR ".join(term.fts for term in self.excluded)
        return f"({found}) NOT ({refused})" if refused else found

    def narrowed(self, term: Term) -> str:
        """An FTS5 expression for what matches this query and holds this term."""
        return f"({self.match}) AND ({term.fts})" if self.required else self.expression([term.fts])


def parse(text: str, typing: bool = False) -> Query:
    """Understand a query. `typing`: somebody is at it, so that its last word may not be finished."""
    return _parse(text.strip()[-LONGEST:], typing)


@lru_cache(maxsize=64)
def _parse(text: str, typing: bool, demanding: bool = True) -> Query:
    text = text.strip()
    if not text.isprintable():
        text = _UNFIT.sub(" ", text).strip()
    query = Query(text)
    query.typing = typing
    words: list[tuple[str, bool]] = []
    required: Terms = {}
    excluded: Terms = {}
    together: Terms = {}
    chunks = list(_CHUNK.finditer(text.translate(_QUOTES)))
    parts = [chunk[2] for chunk in chunks if not chunk[1] and chunk[2] is not None and chunk[2].strip()]
    demanding = demanding and len(parts) == 1 and _estimate_words(parts[0]) <= QUOTED
    for number, chunk in enumerate(chunks):
        last = typing and number == len(chunks) - 1
        refused, quoted, plain = chunk.groups()
        if plain is not None:
            refused = "-" if len(plain) > 1 and plain[0] == "-" and plain[1].isalnum() else ""
            if refused:
                quoted = plain[1:]
        if refused:
            _add(excluded, _build_phrase(quoted, exact=plain is None))
        elif plain is None and not demanding:
            _add(together, _build_phrase(quoted, exact=False))
            words += [(word, last and quoted.endswith(word)) for word in quoted.split()]
        elif plain is None:
            phrase = _build_phrase(quoted, exact=True)
            if phrase is not None and last and quoted[-1:].isalnum() and chunk.group()[-1] != '"':
                # One letter behind other words is rare enough.
                _open_last_word(phrase, 1 if len(phrase.pieces) > 1 else 2)
            _add(required, phrase)
        else:
            words.append((plain, last))
    if excluded and not words and not required:
        # '-v' by itself is looked for, not left out.
        words = [(term.label, False) for term in excluded.values()]
        excluded = {}
    query.required, query.excluded = _list_last_terms(required), _list_last_terms(excluded)
    _add_words(query, words, together)
    query.terms = [*query.required, *query.terms]
    _widen(query)
    for term in query.terms if query.spoken else ():
        if term.label in vocabulary.LIGHT and not term.exact:
            term.weight = LIGHT
    if query.spoken and not required and not typing and len(text) <= SPOKEN:
        _add_synonyms(query)
    if not query.terms:
        query.literal = fold(text)
        # An accent that stands by itself is nothing to look for.
        query.text = text if query.literal else ""
    return query


def _widen(query: Query) -> None:
    """Ask for what is Chinese in the other script, too."""
    scripts = Scripts(query.text)
    if not scripts:
        return
    for term in dict.fromkeys((*query.terms, *query.excluded, *query.parts)):
        for form in scripts.forms(term.label):
            other = _build_phrase(form, exact=term.exact)
            if other is not None:
                term.also(other)
    query.runs += tuple(form for run in query.runs for form in scripts.forms(run))


def _add_synonyms(query: Query) -> None:
    """Look for what means the same in other words: of each word, and of what is two words or three characters."""
    folded = fold(normalize_width(query.text))
    other_script = simplify_characters(folded) != folded
    names = [f"{one} {two}" for one, two in pairwise(ASCII_WORD.findall(folded))]
    for run in CJK_RUN.findall(folded):
        for size in range(3, LONGEST_WORD + 1):
            names += [run[at : at + size] for at in range(len(run) - size + 1)]
    held = {term.fts for term in query.terms}
    for name in names:
        whole = _build_phrase(name, exact=False) if is_vocabulary_word(simplify_characters(name)) else None
        if whole is not None and whole.fts not in held:
            held.add(whole.fts)
            query.terms.append(whole)
    for term in query.terms:
        if not term.fts or term.faint:
            continue
        for form in filter(None, (_build_phrase(one, exact=False) for one in list_irregular_forms(fold(term.label)))):
            form.worth = INFLECTED
            term.also(form)
        for word in list_synonyms(simplify_characters(fold(term.label))):
            forms = [word, *(Scripts(word).forms(word)[:1] if other_script else ())]
            for other in filter(None, (_build_phrase(form, exact=False) for form in forms)):
                other.worth = MEANT_SAME
                term.also(other)


def _estimate_words(text: str) -> float:
    """How many words a text has; a Chinese one has about two characters."""
    return sum(len(word) / 2 if cjk else 1 for word, cjk in split_cjk_runs(fold(text)))


def _end(text: str) -> str:
    """What a model is given of a long text: its last sentences."""
    data = text.encode("utf-8", "replace")
    if len(data) <= MEANT:
        return text
    tail = data[-TURN:].decode("utf-8", "ignore")
    begun = _PAUSE.search(tail, 0, len(tail) // 2)
    return tail[begun.end() if begun else 0 :].strip()


def _add(terms: Terms, term: Term | None) -> None:
    if term is not None:
        # Where it was said last: the end of a long query counts.
        terms.pop(term.fts, None)
        terms[term.fts] = term


def _quote(text: str) -> str:
    return '"' + text.replace('"', " ") + '"'


def _build_phrase(text: str, *, exact: bool) -> Term | None:
    """The words in this order, with nothing but punctuation between them."""
    whole = normalize_width(text)
    found = split_cjk_runs(fold(whole))[:_LONGEST_RUN]
    if not found:
        return None
    made = tuple(TermPiece(word, cjk, "" if cjk or exact else stem_word(word)) for word, cjk in found)
    tokens = segment_text(whole)
    suffix = ""
    last = found[-1][0]
    if found[-1][1]:
        # The run may go on in the text: its last character then begins a pair instead of standing alone.
        tokens = tokens.rstrip()
        if len(last) > 1:
            tokens = tokens[: -len(last[-1])]
        else:
            suffix = " *"
    return Term(made, _quote(tokens) + suffix, text, exact=exact)


def _open_last_word(term: Term, least: int) -> bool:
    """Take the last word, if it has so many letters, as a beginning."""
    last = term.pieces[-1]
    if last.cjk or len(last.text) < least:
        return False
    last.beginning = True
    head = term.fts[1:-1].rstrip()
    if head.lower().endswith(last.text):
        # The word whole, or what the index may have cut it to.
        ways = build_prefix_expression(last.text).split(" OR ")
        term.fts = " OR ".join(f'"{head[: -len(last.text)]}{way[1:]}' for way in ways)
    else:
        term.fts += " *"
    return True


def _list_last_terms(terms: Terms) -> list[Term]:
    return list(terms.values())[-MOST:]


def _add_words(query: Query, words: list[tuple[str, bool]], together: Terms) -> None:
    """The terms of what is not demanded, stop words only if nothing else is left; `together`: what better stands so."""
    kept: Terms = {}
    spare: Terms = {}
    parts: Terms = {}
    characters: list[str] = []
    runs: list[str] = []
    foreign = vocabulary.find_foreign_stop_words(WORD.findall(fold(" ".join(word for word, _ in words))))
    for word, last in words:
        whole = normalize_width(word)
        done = 0
        for match in CJK_RUN.finditer(whole) if not whole.isascii() else ():
            _add_latin_words(parts, kept, spare, whole[done : match.start()], False, foreign)
            runs.append(match.group())
            _run(kept, spare, characters, match.group())
            done = match.end()
        _add_latin_words(parts, kept, spare, whole[done:], last, foreign)
    query.spoken = bool(spare and kept)
    query.parts = _list_last_terms(parts)
    query.terms = _list_last_terms(kept or spare)
    query.terms += [term for term in _list_last_terms(together) if term.fts not in kept and term.fts not in spare]
    if len(runs) == 1 and not query.required and all(term.pieces[0].cjk for term in query.terms):
        query.runs = (runs[0],)
    elif query.spoken and not runs and not query.required and not query.excluded and len(words) > 2:
        query.runs = (fold(" ".join(word for word, _ in words)),)
    own = list(dict.fromkeys(reversed(characters)))[:CHARACTERS]
    for character in own:
        # Of a word, every memory that holds one character of it would come.
        asked = _quote(character) + " *" if len(own) >= (LONG if query.spoken else TERSE) else ""
        query.terms.append(Term((TermPiece(character, cjk=True),), asked, character, FAINT))
        query.terms[-1].faint = True
    for name in filter(None, (extract_marked_word(normalize_width(word)) for word, _ in words if query.terms)):
        # The index has no marks: what it finds is weighed by them.
        query.terms.append(Term((TermPiece(fold(name), cjk=True),), "", name))


def _run(kept: Terms, spare: Terms, characters: list[str], run: str) -> None:
    known = simplify_characters(run)
    if len(run) == 1:
        alone = Term((TermPiece(run, cjk=True),), _quote(run) + " *", run)
        _add(spare if known in vocabulary.PARTICLES else kept, alone)
        return
    if 2 < len(run) <= _LONGEST_RUN:
        whole = _build_phrase(run, exact=False)
        _add(kept, whole)
    for start in range(len(run) - 1):
        pair = run[start : start + 2]
        term = Term((TermPiece(pair, cjk=True),), _quote(pair), pair)
        plain = known[start : start + 2]
        idle = plain in vocabulary.CHINESE or not vocabulary.ENDINGS.isdisjoint(plain)
        _add(spare if idle else kept, term)
        if not idle:
            characters += [own for own, basic in zip(pair, plain, strict=True) if basic not in vocabulary.PARTICLES]


def _add_latin_words(parts: Terms, kept: Terms, spare: Terms, text: str, last: bool, foreign: frozenset[str]) -> None:
    """Words and identifiers between CJK runs; `last`: the final word may still be being typed. `foreign`: stop words
    of the query's language, where that is not English."""
    if not text:
        return
    done = 0
    open_end = last and text[-1].isalnum()
    for match in IDENTIFIER.finditer(text):
        _add_plain_words(kept, spare, text[done : match.start()], False, foreign)
        done = match.end()
        term = _build_phrase(match.group(), exact=False)
        if term is None:
            continue
        if not (open_end and done == len(text) and _open_last_word(term, 2)):
            for other in filter(
                None, (_build_phrase(way, exact=False) for way in list_identifier_variants(match.group()))
            ):
                term.also(other)
        _add(kept, term)
        _add_plain_words(parts, {}, match.group(), False)
    _add_plain_words(kept, spare, text[done:], open_end, foreign)


def _add_plain_words(
    kept: Terms, spare: Terms, text: str, open_end: bool, foreign: frozenset[str] = frozenset()
) -> None:
    words = (ASCII_WORD if text.isascii() else WORD).findall(fold(text)) if text else []
    for number, word in enumerate(words):
        if word in vocabulary.ASKING:
            _add(spare, Term((TermPiece(word, stem=stem_word(word)),), _quote(word), word))
            continue
        begun = open_end and number == len(words) - 1 and len(word) >= 3
        piece = TermPiece(word, stem=stem_word(word), beginning=begun)
        term = Term((piece,), build_prefix_expression(word) if begun else _quote(word), word)
        if word in foreign:
            term.weight = IDLE
        root = "" if begun or word in foreign else derive_cyrillic_root(word) or (foreign and derive_latin_root(word))
        if root:
            other = Term((TermPiece(root, beginning=True),), f"{_quote(root)} *", root)
            other.worth = ROOTED
            term.also(other)
        _add(kept, term)
    for word in text.split():
        if not (word.isascii() and word.isalnum()) or (word.isalpha() and word.islower()):
            continue
        parts = [part for part in PART.findall(word) if len(part) > 1]
        if len(parts) > 1:
            _add(
                kept,
                Term(
                    tuple(TermPiece(p.lower(), stem=stem_word(p.lower())) for p in parts),
                    _quote(" ".join(parts)),
                    word,
                ),
            )


def derive_cyrillic_root(word: str) -> str:
    """What a folded Cyrillic word begins with in its other forms, of which the index has no stems; else empty."""
    if not "\u0400" <= word[:1] <= "\u04ff" or len(word) < ROOT:
        return ""
    return next((word[: -len(end)] for end in _CYRILLIC if word.endswith(end) and len(word) - len(end) >= ROOT), word)


def derive_latin_root(word: str) -> str:
    """What a folded word of another language than English begins with in its other forms; else empty."""
    if not word.isascii() or not word.isalpha() or len(word) <= LATIN_ROOT:
        return ""
    return next((word[: -len(end)] for end in _LATIN if word.endswith(end) and len(word) - len(end) >= LATIN_ROOT), "")


def build_prefix_expression(word: str) -> str:
    """The word, any that begins with it, and stems that a word beginning with it may have been cut to."""
    asked = [f'"{word}"', f'"{word}" *']
    asked += [
        f'"{word[:length]}"'
        for length in range(max(3, len(word) - 6), len(word))
        if any(ending.startswith(word[length:]) for ending in _ENDINGS)
    ]
    return " OR ".join(asked)


def list_identifier_variants(text: str) -> list[str]:
    """Other ways to write an identifier: without its scheme or its line, with and without the v of a version."""
    bare = _SCHEME.sub("", text, 1)
    found = [bare, _NUMBERED.sub("", bare)]
    version = _VERSION.fullmatch(text)
    if version:
        found.append(version[1] if text[0] in "vV" else f"v{text}")
    return [one for one in dict.fromkeys(found) if one != text]


def extract_marked_word(word: str) -> str:
    """The word with its marks, where these say what it is (C++ is no C); else empty."""
    word = word.strip().rstrip(_SENTENCE).lstrip("([{（「")
    return word if len(word) <= _LONGEST_MARKED and not word.isalnum() and _MARKED.fullmatch(word) else ""
