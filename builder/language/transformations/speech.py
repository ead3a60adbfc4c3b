"""Order of speaker and verb: "…, the police said" and "…, said the police"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST = 7
_SPEAKER = frozenset({"DT", "JJ", "NN", "NNS", "NNP", "NNPS", "CD", "PRP$"})


def turn(parse: Parse) -> Iterator[Draft]:
    """Yield what is said at the end of a sentence with verb and speaker in the other order."""
    for sentence in parse.sentences:
        end = body_end(parse, sentence)
        commas = [number for number in range(sentence.start, end) if parse.tokens[number].text == ","]
        if not commas or not follows_a_stop(parse, sentence) or commas[-1] - sentence.start < 3:
            continue
        last = range(commas[-1] + 1, end)
        if not 2 <= len(last) <= _LONGEST:
            continue
        if parse.tokens[last[-1]].small == "said":
            speaker, pieces = last[:-1], (last[-1], *last[:-1])
        elif parse.tokens[last[0]].small == "said":
            speaker, pieces = last[1:], (*last[1:], last[0])
        else:
            continue
        if all(parse.tokens[number].tag in _SPEAKER for number in speaker):
            yield Draft(last.start, last.stop, pieces)


SPEECH_ORDER = Transformation(
    name="speech-order", summary="“…, said the police” and “…, the police said”", find=turn
)
