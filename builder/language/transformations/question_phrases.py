"""Phrases for question words: "how does it work?" becomes "in what way does it work?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import BE
from builder.language.clauses.statements import follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

PHRASES = {
    "why": "for what reason",
    "how": "in what way",
    "where": "in what place",
    "when": "at what point in time",
}
_HELPERS = frozenset({"do", "does", "did", "can", "could", "should", "would", "will"})
# "How do you do", "how do you feel", "how do you know": no manner is asked for.
_NO_MANNER = frozenset({"feel", "do", "look", "sound", "know", "come"})


def ask_with_phrase(parse: Parse) -> Iterator[Draft]:
    """Yield each question with a question word as one with a phrase."""
    for sentence in parse.sentences:
        if len(sentence) < 5 or not follows_a_stop(parse, sentence):
            continue
        asked, helper = parse.tokens[sentence.start], parse.tokens[sentence.start + 1]
        last, mark = (parse.tokens[sentence.stop - back] for back in (2, 1))
        root = parse.tokens[asked.head]
        is_event = helper.small in BE and root.tag == "VBN" and root.number > helper.number
        if asked.small in PHRASES and (helper.small in _HELPERS or is_event) and mark.text == "?":
            if asked.small == "how" and _NO_MANNER.intersection(parse.words(sentence[3:5])):
                continue
            # "Where does it come from": the preposition belongs to the question word.
            if asked.small in {"why", "how"} or last.tag not in {"IN", "TO"}:
                yield Draft(asked.number, asked.number + 1, (PHRASES[asked.small],))


QUESTION_PHRASE = Transformation(
    name="question-phrase", summary="“in what way …” for “how …”", find=ask_with_phrase, weight=2.0
)
