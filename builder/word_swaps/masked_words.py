"""What a masked language model says about the words of texts: how likely each is, and what else is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from builder.language.masked_lm.model import Floats, load_model
from builder.language.masked_lm.places import Span, read_places
from builder.language.sentences.contexts import contexts_of
from builder.language.substitution.thesaurus_pairs import load_pairs
from builder.language.substitution.vectors import word_vectors
from builder.language.tagger import tag_words
from builder.language.wordnet.kinship import is_mainly, is_narrower
from builder.language.wordnet.phrases import words_in_phrases
from builder.language.wordnet.synonyms import certain_synonyms
from builder.language.wordnet.tables import load_tables
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.word_families import lemmas_or_itself
from builder.operations.dimension import WordsOfText
from builder.word_swaps.function_words import alternatives_to
from builder.word_swaps.swaps import Sentence, WordInText, share_a_stem
from builder.word_swaps.whole_words import WholeWord, fits_article, whole_words_of
from builder.word_swaps.word_uses import Neighbours, WordUse, form_of, is_own_word, neighbours_of, use_of

# How many of the model's words are looked at for a place, by likelihood and nearness to the original.
N_PROPOSED = 60
WEIGHT_OF_NEARNESS = 12.0
# Adjectives that are near one another and exclude one another.
COLOURS = frozenset(
    [
        "black",
        "blue",
        "brown",
        "gold",
        "golden",
        "gray",
        "green",
        "grey",
        "orange",
        "pink",
        "purple",
        "red",
        "silver",
        "violet",
        "white",
        "yellow",
    ]
)


class Candidate(NamedTuple):
    """A form that may replace a word, and how likely the model finds it there."""

    form: str
    log_probability: float


class Answer(NamedTuple):
    """How likely a word is in its place, and what else is likely there."""

    expected: float | None
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(WordInText):
    """A word, and how it is used if the model may replace it, or the small words that may."""

    use: WordUse | None
    small: tuple[str, ...]

    @property
    def span(self) -> Span:
        """Where the word stands in its sentence."""
        return Span(self.word.start - self.sentence.start, self.word.end - self.sentence.start)

    def can_take(self, form: str) -> bool:
        """Whether a form is new, has the number, tense or degree of the original, and fits its article."""
        use = self.use
        if use is None or form in self.present or share_a_stem(self.original, form) or form in COLOURS:
            return False
        lemma = self.lemma_of(form)
        return (
            lemma not in self.present
            and is_mainly(lemma, use.part_of_speech)
            and form_of(lemma, use, self.neighbours) == form
            and fits_article(self.neighbours.before, self.original, form)
            and not (use.part_of_speech in {"n", "v"} and is_narrower(lemma, use.lemma, use.part_of_speech))
        )

    def lemma_of(self, form: str) -> str:
        """Return the lemma of a form of the same kind."""
        paradigm = paradigm_of(form, self.use.tag if self.use else self.word.tag)
        return paradigm.forms[0] if paradigm else form

    def is_listed(self, form: str) -> bool:
        """Whether dictionaries give a form as a synonym: such pairs are the dimension synonym's field."""
        use = self.use
        if use is None:
            return False
        form_lemma = self.lemma_of(form)
        pairs = load_pairs().get((use.lemma, use.part_of_speech), ())
        known = (synonym.lemma for synonym in certain_synonyms(use.lemma, use.part_of_speech))
        return form_lemma in pairs or form_lemma in known


def words_of_texts(
    texts: Sequence[WordsOfText], is_replaceable: Callable[[str, str], bool]
) -> Iterator[Word]:
    """Yield the words that the model may replace, by what is said of a word in small letters and its tag."""
    tagged = tag_words([text.text for text in texts])
    for text_number, (text, cores) in enumerate(zip(texts, tagged, strict=True)):
        lower = [word.text.lower() for word in text.words]
        in_phrases = words_in_phrases(lower)
        pieces = {piece for word in lower for piece in (word, *word.split("-"))}
        present = frozenset(lemma for piece in pieces for lemma in lemmas_or_itself(piece))
        contexts, neighbours = contexts_of(text.text, text.words), neighbours_of(text, cores)
        for word in whole_words_of(text, cores):
            around = neighbours[word.number]
            small = alternatives_to(word.text.lower(), word.tag, around)
            use = None if small or word.number in in_phrases else _use_of(word, around, is_replaceable)
            if small or use is not None:
                start, end = contexts[word.number]
                yield Word(
                    text_number=text_number,
                    word=word,
                    sentence=Sentence(text.text[start:end], start),
                    neighbours=around,
                    use=use,
                    small=small,
                    label=text.label,
                    present=present,
                )


def _use_of(
    word: WholeWord, neighbours: Neighbours, is_replaceable: Callable[[str, str], bool]
) -> WordUse | None:
    """Return how a word is used if the model may replace it."""
    small = word.text.lower()
    use = use_of(word, neighbours) if is_replaceable(small, word.tag) else None
    if use is None or is_own_word(small, use) or small in COLOURS:
        return None
    # Names in small letters have no senses; the second half of one may have: chris rock, sharon stone.
    is_name = use.part_of_speech == "n" and neighbours.before_tag.startswith("NNP")
    return use if (use.lemma, use.part_of_speech) in load_tables().senses and not is_name else None


def answers_about(words: Sequence[Word], masked_lm: str) -> list[Answer]:
    """Return what the model says about each word's place; words of one sentence share passes."""
    model = load_model(masked_lm)
    tokens, of_word = model.tokens_of_words, model.token_of_word
    vocabulary = [model.words[token] for token in tokens]
    vectors = word_vectors(vocabulary)
    by_sentence: dict[str, dict[Span, list[int]]] = {}
    for number, word in enumerate(words):
        by_sentence.setdefault(word.sentence.text, {}).setdefault(word.span, []).append(number)
    spans = [sorted(of_sentence) for of_sentence in by_sentence.values()]
    sentences = list(by_sentence)

    def read(number: int, place: int, logs: Floats) -> Answer:
        word = words[by_sentence[sentences[number]][spans[number][place]][0]]
        token = of_word.get(word.original)
        expected = None if token is None else float(logs[token])
        if word.small:
            forms = [form for form in word.small if form in of_word]
            return Answer(expected, tuple(Candidate(form, float(logs[of_word[form]])) for form in forms))
        likely = logs[tokens]
        combined = likely + WEIGHT_OF_NEARNESS * (vectors @ word_vectors([word.original])[0])
        best = (-combined).argsort(kind="stable")[:N_PROPOSED]
        return Answer(expected, tuple(Candidate(vocabulary[one], float(likely[one])) for one in best))

    answers: dict[int, Answer] = {}
    for sentence, of_sentence, of_answers in zip(
        sentences, spans, read_places(sentences, spans, read, masked_lm), strict=True
    ):
        for span, answer in zip(of_sentence, of_answers, strict=True):
            answers.update(dict.fromkeys(by_sentence[sentence][span], answer))
    return [answers[number] for number in range(len(words))]
