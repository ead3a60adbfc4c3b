"""Words that turn a sentence round: whoever loses or gains one has changed the label."""

from collections import Counter

from builder.values.associations import cores_of

NEGATIONS = frozenset(
    {
        "aint",
        "arent",
        "barely",
        "cannot",
        "cant",
        "couldnt",
        "didnt",
        "doesnt",
        "dont",
        "fail",
        "failed",
        "fails",
        "hadnt",
        "hardly",
        "hasnt",
        "havent",
        "isnt",
        "lack",
        "lacking",
        "lacks",
        "mustnt",
        "neednt",
        "neither",
        "never",
        "no",
        "nobody",
        "none",
        "nor",
        "not",
        "nothing",
        "nowhere",
        "nt",
        "scarcely",
        "shouldnt",
        "wasnt",
        "werent",
        "without",
        "wont",
        "wouldnt",
    }
)


def is_negation(word: str) -> bool:
    """Whether a word negates, as "not", "n't" and "isn't" do, whatever stands around it."""
    return bool(negations_of(word))


def negations_of(text: str) -> Counter[str]:
    """Return the negations of a text and how often each stands there; "isn't" and "cannot" count as "not"."""
    return Counter(
        "not" if core.endswith(("n't", "nt")) or core == "cannot" else core
        for core in cores_of(text)
        if core in NEGATIONS or core.endswith("n't")
    )
