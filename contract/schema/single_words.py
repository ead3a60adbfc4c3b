"""What `hardfrost singleword` writes: how robust a model is against the exchange of one word."""

from typing import ClassVar, Literal

from pydantic import Field

from contract.schema.checked_text import Line
from contract.schema.documents import Count, Document, Fraction, Integer, Sha256, Value

# How flips were searched: those whose names do not begin with euba look at every position of a word.
SearchName = Literal["sums", "brute-force", "euba", "euba-top1", "euba-no-mask", "sampled"]
PartOfSpeech = Literal["noun", "verb", "adjective", "adverb", "other"]


class WordFlips(Value):
    """A word, and the share of texts whose answer it flips at some position."""

    word: Line
    # Of the texts that the model has right: those that it was seen to flip, with Wilson's interval.
    kappa: Fraction
    low: Fraction
    high: Fraction
    # The share that it may flip, as far as was looked.
    upper_bound: Fraction
    part_of_speech: PartOfSpeech


class StrongWord(Value):
    """A word that flips a source, and the share of the label's rows that it was seen to flip."""

    word: Line
    kappa: Fraction


class StrongWords(Value):
    """The words that an attack on a source takes, by label, and on what they were measured."""

    search: SearchName | Literal["none"]
    # Words that were tried, and for each label the rows that the source has right.
    n_words: Count
    n_rows: tuple[Count, ...]
    # As found, and as it must at least be; nothing where no row is right.
    rho: Fraction | None = None
    rho_lower: Fraction | None = None
    # For each label, the strongest first.
    words: tuple[tuple[StrongWord, ...], ...]


class WordEffect(Value):
    """Accuracy on texts with a word and without it, before and after it is removed or put in."""

    word: Line
    n_with: Count
    accuracy_with: Fraction | None
    accuracy_removed: Fraction | None
    n_without: Count
    accuracy_without: Fraction | None
    accuracy_attacked: Fraction | None


class SingleWordRobustness(Value):
    """ρ on some rows: the share of texts and words of which no position flips the answer."""

    # The name of the file without its folder, and the hash of its content.
    data: Line
    data_sha256: Sha256
    # Rows that were to be looked at, those that were, and those of them that the model has right.
    n_planned: Count
    n_rows: Count
    n_samples: Count
    accuracy: Fraction
    # Words that were tried, and texts that the model was asked about; sums ask nothing.
    n_words: Count
    n_questions: Count
    # Exact, an estimate, or an upper bound: `search` says which.
    rho: Fraction
    low: Fraction
    high: Fraction
    # Counts everything that was not looked at as flipped.
    lower_bound: Fraction


class SingleWordAttack(Value):
    """SP-Attack on the rows that the model should not have been trained on."""

    # Texts that the model has right and that were attacked, those that were flipped, and those of them whose
    # cosine with the original is above 0.8, as the paper counts successes.
    n_attacked: Count
    n_flipped: Count
    n_similar: Count
    n_questions: Count
    # Exchanges that could be tried, and those that the label guard refused, by reason.
    n_candidates: Count
    n_refused: dict[str, Count]


class SingleWordReport(Document):
    """How one model stands against the exchange of one word, and which words are the strongest."""

    SCHEMA: ClassVar[str] = "hardfrost/singleword/1"

    schema_: Literal["hardfrost/singleword/1"] = Field(alias="schema", default="hardfrost/singleword/1")
    # The spec without the folders of the machine.
    model: Line
    labels: tuple[Line, ...]
    search: SearchName
    # Failures in a row that end a phase; null where nothing ends early.
    m: Count | None
    # Where the words come from, and how many there are.
    vocabulary: Literal["model", "data", "file"]
    n_words: Count
    seed: Integer
    budget_seconds: float | None
    # ρ* on rows that the model should not have been trained on, ρ on training rows if they were given.
    test: SingleWordRobustness | None
    train: SingleWordRobustness | None
    # κ is that of the training rows where there are any, as in the paper.
    kappa_of: Literal["train", "test"]
    # The strongest words; kappa.csv has all of them.
    words: tuple[WordFlips, ...]
    # How many words have a κ in each twentieth from 0 to 1.
    histogram: tuple[Count, ...]
    # Of the strongest thousand words that flip anything.
    parts_of_speech: dict[PartOfSpeech, Count]
    effects: tuple[WordEffect, ...]
    # Where it was asked for.
    attack: SingleWordAttack | None = None

    @property
    def is_exact(self) -> bool:
        """Whether nothing was left out."""
        return self.search in {"sums", "brute-force"}

    @property
    def is_estimate(self) -> bool:
        """Whether words were drawn, so that ρ is an estimate."""
        return self.search == "sampled" and any(
            own is not None and own.n_words < self.n_words for own in (self.test, self.train)
        )

    @property
    def meaning(self) -> str:
        """What the figures are."""
        if self.search == "sums":
            return "exact: a linear model's scores are sums, so every word was tried at every position"
        if self.search == "brute-force" or (self.search == "sampled" and not self.is_estimate):
            return "exact: every word was tried at every position"
        if self.search == "sampled":
            return "an estimate: words drawn at random were tried at every position"
        return f"bounds: ρ is at most and κ at least what stands here (early stop m = {self.m})"
