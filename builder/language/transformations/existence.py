"""There-insertion: "a man is walking" and "there is a man walking"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, is_plain, is_plural, statements
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_INDEFINITE = frozenset({"a", "an", "some", "two", "three", "four", "five", "several"})
# In a longer phrase the parser may have missed a verb.
_LONGEST_PHRASE = 14
_BE = frozenset({"is", "are", "was", "were"})


def insert(parse: Parse) -> Iterator[Draft]:
    """Yield statements about something indefinite that is somewhere or does something, with "there"."""
    for statement in statements(parse):
        span, finite, root = statement.subject_span, statement.finite, statement.root
        is_doing = root.tag == "VBG" and root.number == finite.number + 1
        is_somewhere = root.tag in {"NN", "NNS", "NNP"} and parse.tokens[finite.number + 1].small in {
            "in",
            "on",
            "at",
            "inside",
            "behind",
            "near",
            "under",
        }
        is_clear = (
            statement.begins_with_subject
            and parse.tokens[span.start].small in _INDEFINITE
            and finite.small in _BE
            and finite.number == span.stop
            and (is_doing or (is_somewhere and finite.relation == "cop"))
            and not parse.children(root.number, "conj", "parataxis", "ccomp")
            and not parse.children(statement.subject.number, "acl")
        )
        if is_clear:
            rest = range(finite.number + 1, statement.end)
            yield Draft(statement.start, statement.end, ("there", finite.number, *span, *rest))


def present(parse: Parse) -> Iterator[Draft]:
    """Yield "there are fine performances" for "fine performances"."""
    for sentence in parse.sentences:
        if not is_plain(parse, sentence):
            continue
        (root,) = parse.roots(sentence)
        first = parse.tokens[sentence.start]
        relations = {child.relation.partition(":")[0] for child in parse.children(root.number)}
        is_clear = (
            root.tag == "NNS"
            and len(sentence) <= _LONGEST_PHRASE
            and first.tag == "JJ"
            and first.head == root.number
            and first.number + 1 == root.number
            and relations <= {"amod", "punct", "nmod", "conj"}
            and not any(parse.tokens[number].universal_tag == "VERB" for number in sentence)
        )
        if is_clear:
            end = body_end(parse, sentence)
            yield Draft(sentence.start, end, ("there are", *range(sentence.start, end)))


def remove(parse: Parse) -> Iterator[Draft]:
    """Yield "a man is walking" for "there is a man walking"."""
    for sentence in parse.sentences:
        if not is_plain(parse, sentence) or len(sentence) < 5:
            continue
        there, be = parse.tokens[sentence.start], parse.tokens[sentence.start + 1]
        if there.tag != "EX" or be.small not in _BE:
            continue
        noun = parse.child(be.number, "nsubj") if be.head == be.number else None
        verb = parse.child(noun.number, "acl") if noun else None
        if (
            noun is None
            or verb is None
            or verb.tag != "VBG"
            or verb.relation != "acl"
            or verb.number != noun.number + 1
        ):
            continue
        plural = is_plural(parse, noun)
        phrase = range(be.number + 1, noun.number + 1)
        if parse.tokens[phrase.start].small in _INDEFINITE and plural == (be.small in {"are", "were"}):
            end = body_end(parse, sentence)
            rest = range(verb.number, end)
            yield Draft(sentence.start, end, (*phrase, be.number, *rest))


THERE_INSERTION = Transformation(
    name="there-insertion",
    summary="“there is” before what is somewhere or does something",
    find=insert,
    undoes="there-removal",
)
THERE_PRESENTATION = Transformation(
    name="there-presentation", summary="“there are” before what stands alone", find=present, kind="opening"
)
THERE_REMOVAL = Transformation(
    name="there-removal", summary="“there is” goes", find=remove, undoes="there-insertion"
)
