"""The paper's sentence in the forms of its Table 1, and what each attack promises beside."""

import string
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from builder.dimensions import DIMENSIONS
from builder.dimensions.zeroe.cores import VOWELS, core_of
from builder.dimensions.zeroe.intrude import SYMBOLS
from builder.dimensions.zeroe.visual import N_NEIGHBOURS, TABLE_PATH, TABLE_SHA256, neighbours
from builder.models.resources import Resources
from builder.operations.dimension import ProbabilityDimension, Turn
from builder.searches.rule import search
from builder.searches.search import SearchRequest
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.machine.hashes import hash_of_file
from contract.schema.records import Record

SENTENCE = "Adversarial attacks are harmless."
NEWS = "Officials said yesterday that the northern border crossing would open again within several weeks."


class Decided(Draw):
    """Draws that are decided beforehand, to show that a form can come out."""

    def __init__(self, fractions: Sequence[float]) -> None:
        super().__init__("decided")
        self._random = iter(fractions).__next__


def attack(name: str, word: str, draw: Draw, probability: float = 0.5, following: Sequence[str] = ()) -> str:
    """Return what an attack makes of one word."""
    dimension = DIMENSIONS[name]
    assert isinstance(dimension, ProbabilityDimension)
    turn = Turn(
        word=word,
        following=following,
        probability=probability,
        method=name,
        draw=draw,
        resources=Resources(),
    )
    result = dimension.attack(turn)
    return word if result is None else result.text


def cases(name: str, text: str, seeds: range, probability: float) -> Iterator[Record]:
    """Yield the case of each seed."""
    for seed in seeds:
        request = SearchRequest(
            task="t",
            perturbed="text",
            samples=[Sample(id="t-0", text=text, text_pair=None, label=0)],
            dimension=DIMENSIONS[name],
            degrees=(probability,),
            n_cases=1,
            seed=seed,
        )
        yield from search(request).records


def to_order(letters: str, wanted: str) -> list[float]:
    """Return the draws with which a shuffle puts letters into an order."""
    pool, fractions = list(letters), []
    for position, letter in enumerate(wanted):
        other = pool.index(letter, position)
        fractions.append((other - position + 0.5) / (len(pool) - position))
        pool[position], pool[other] = pool[other], pool[position]
    return fractions


# Where the paper's own form breaks a rule of its section 3, the test has what the rule gives: its table
# disemvowels "are", which has three letters.
@pytest.mark.parametrize(
    ("name", "form", "probability"),
    [
        ("disemvowel", "dvrsrl ttcks are hrmlss.", 0.8),
        ("truncate", "Adversaria attack are harmles.", 0.8),
        ("segment", "Adversarial attacksare harmless.", 0.5),
        ("natural-noise", "Adversarial attacs rae harmless.", 0.5),
    ],
)
def test_a_seed_gives_the_sentence_of_the_table(name: str, form: str, probability: float) -> None:
    """These have few forms, so that seeds find them."""
    assert any(record.text == form for record in cases(name, SENTENCE, range(300), probability))


@pytest.mark.parametrize(
    ("name", "word", "form"),
    [
        ("inner-shuffle", "Adversarial", "Aadrreavsil"),
        ("inner-shuffle", "attacks", "aacttks"),
        ("inner-shuffle", "harmless.", "hmarsels."),
        ("full-shuffle", "Adversarial", "idaAasvrler"),
        ("full-shuffle", "attacks", "tstkaac"),
    ],
)
def test_a_shuffle_gives_the_words_of_the_table(name: str, word: str, form: str) -> None:
    """Millions of orders are possible: the draws that lead to this one are computed."""
    core, wanted = word.strip("."), form.strip(".")
    if name == "inner-shuffle":
        core, wanted = core[1:-1], wanted[1:-1]
    assert attack(name, word, Decided(to_order(core, wanted))) == form


@pytest.mark.parametrize(
    ("word", "form"),
    [("Adversarial", "A d v e r sar ial"), ("attacks", "at:ta:ck:s"), ("harmless.", "h}ar}m}less.")],
)
def test_intruders_give_the_words_of_the_table(word: str, form: str) -> None:
    """The symbol, then for each gap whether it stands there."""
    symbol = next(sign for sign in form if sign not in word)
    gaps, rest = [], form.strip(".")[1:]
    while rest:
        has_symbol = rest.startswith(symbol)
        gaps.append(0.0 if has_symbol else 0.99)
        rest = rest[2:] if has_symbol else rest[1:]
    draws = [(SYMBOLS.index(symbol) + 0.5) / len(SYMBOLS), *gaps]
    assert attack("intrude", word, Decided(draws)) == form


@pytest.mark.parametrize(("word", "form"), [("Adversarial", "Adverssrial"), ("attacks", "attaxks")])
def test_typos_give_the_words_of_the_table(word: str, form: str) -> None:
    """Seeds find them."""
    found = (attack("keyboard-typo", word, Draw("typo", seed), 0.2) for seed in range(3000))
    assert form in found


def test_phonetic_spellings_change_the_words_of_the_table() -> None:
    """Its attaks is not among ours; its Advorcariel does not sound as its original."""
    spellings = {attack("phonetic", "attacks", Draw("phonetic", seed)) for seed in range(30)}
    assert spellings == {"atacks", "attax"}
    assert attack("phonetic", "Adversarial", Draw("phonetic", 1)) != "Adversarial"


def test_visual_neighbours_have_the_kinds_of_the_table() -> None:
    """Accents, dots below, macrons: Ǟ and ḋ, ë and ṣ."""
    table = neighbours()
    assert hash_of_file(TABLE_PATH) == TABLE_SHA256
    assert set(table) == set(string.ascii_letters)
    for letter, near in table.items():
        assert len(near) == len(set(near)) == N_NEIGHBOURS
        assert not any(sign.isascii() for sign in near), letter
    assert {"ḋ", "ḍ"} <= set(table["d"])
    assert "ë" in table["e"]
    assert "ṣ" in table["s"]


@pytest.mark.parametrize(
    ("word", "form"), [("attacks", "aṯtackṣ"), ("are", "āre"), ("harmless.", "harmlẽsṣ.")]
)
def test_visual_attacks_give_words_as_the_table_has_them(word: str, form: str) -> None:
    """For each letter a coin, then which neighbour; where the table's own sign is none, the letter stays."""
    draws: list[float] = []
    for letter, sign in zip(word.strip("."), form.strip("."), strict=True):
        near = neighbours()[letter]
        draws += [0.99] if sign == letter else [0.0, (near.index(sign) + 0.5) / N_NEIGHBOURS]
    assert attack("visual", word, Decided(draws)) == form


def test_shuffles_keep_letters_and_inner_shuffles_the_ends() -> None:
    """Whatever the seed."""
    for name in ("inner-shuffle", "full-shuffle"):
        for record in cases(name, NEWS, range(30), 0.8):
            for before, after in zip(NEWS.split(), record.text.split(), strict=True):
                assert Counter(before) == Counter(after)
                if name == "inner-shuffle":
                    assert (before[0], before.rstrip(".")[-1]) == (after[0], after.rstrip(".")[-1])


def test_intruders_are_one_symbol_a_word() -> None:
    """Between letters only, and without them the word is there again."""
    for seed in range(200):
        word = attack("intrude", "yesterday", Draw("intrude", seed), 0.8)
        strange = [sign for sign in word if sign not in string.ascii_letters]
        assert len(set(strange)) <= 1
        assert not any(one in strange and two in strange for one, two in pairwise(word))
        assert "".join(sign for sign in word if sign not in strange) == "yesterday"


def test_segments_only_join() -> None:
    """No other character is lost, and some white space always is."""
    for record in cases("segment", NEWS, range(50), 0.8):
        assert record.text.replace(" ", "") == NEWS.replace(" ", "")
        assert record.text.count(" ") < NEWS.count(" ")


def test_segments_join_with_falling_probability() -> None:
    """The first word with φ, the next with φ²."""
    following = ("two", "three", "four")
    assert attack("segment", "one", Decided([0.49, 0.26]), 0.5, following) == "onetwo"
    assert attack("segment", "one", Decided([0.49, 0.24, 0.2]), 0.5, following) == "onetwothree"
    assert attack("segment", "one", Decided([0.51]), 0.5, following) == "one"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("inner-shuffle", "up"),
        ("full-shuffle", "a"),
        ("intrude", "up"),
        ("disemvowel", "the"),
        ("disemvowel", "Aaoui"),
        ("disemvowel", "Ohio"),
        ("full-shuffle", "quot;"),
        ("truncate", "up"),
        ("natural-noise", "zyzzyva"),
        ("keyboard-typo", "3,000"),
        ("full-shuffle", "www.example.com"),
        ("visual", "mp3"),
    ],
)
def test_words_that_an_attack_skips_stay(name: str, word: str) -> None:
    """Too short, of vowels alone, not listed, with digits, or no words at all."""
    assert {attack(name, word, Draw(name, seed), 0.8) for seed in range(20)} == {word}


def test_disemvowelled_words_have_no_vowel() -> None:
    """Not even a capital one, as in the table."""
    assert not set(attack("disemvowel", "Economies", Draw("d"))) & set(VOWELS)


def test_punctuation_around_a_word_is_no_part_of_it() -> None:
    """Quotes, brackets and stops stay where they are."""
    core = core_of("(“films”),")
    assert core == ("(“", "films", "”),")
    assert attack("truncate", "“harmless”.", Draw("t")) == "“harmles”."
