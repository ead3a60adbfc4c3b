"""Negations: a sentence that loses or gains one may mean the opposite, and its label may change."""

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
    """Whether a word negates, as "not", "n't" and "isn't" do; punctuation around it is ignored."""
    return bool(negations_of(word))


def negations_of(text: str) -> Counter[str]:
    """Return the negations of a text and how often each occurs; "isn't" and "cannot" count as "not"."""
    return Counter(
        "not" if core.endswith(("n't", "nt")) or core == "cannot" else core
        for core in cores_of(text)
        if core in NEGATIONS or core.endswith("n't")
    )
