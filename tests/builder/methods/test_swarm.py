"""A swarm keeps to its budget, learns, and ends at the strongest position of a small space."""

from itertools import product

from builder.dimensions.typo import TYPO_GENERAL
from builder.methods.sememe_pso import RULES
from builder.methods.swarm import UNCHANGED, Swarm
from builder.operations.operation import Operation, Operations, operation
from builder.searches.machinery.editable_texts import Budget, EditableText
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.schema.edits import Edit, words_of

TEXT = "one two six ten red"
N_OPERATIONS = 4


def swarm(amount: int) -> Swarm:
    """Return a swarm over a text whose words can each become one of four others, but for the first."""

    def operations(word: str) -> list[Operation]:
        edits = [Edit(0, 3, word, f"{word}{number}") for number in range(N_OPERATIONS)]
        return [] if word == "one" else [operation("other", edit) for edit in edits]

    text = EditableText(
        dimension=TYPO_GENERAL,
        sample=Sample(id="t-00001", text=TEXT, text_pair=None, label=1),
        original=TEXT,
        words=words_of(TEXT),
        operations=[
            Operations(items, [1.0] * len(items))
            for items in (operations(word.text) for word in words_of(TEXT))
        ],
        degrees=(0.2, 0.4, 0.6),
    )
    return Swarm(text, Budget(amount, 0.4), RULES, Draw("swarm", amount))


def strength(position: tuple[int, ...]) -> float:
    """Return a probability that is lowest at the last operations of the last words."""
    return (
        1.0 - sum((number + 1) * index for index, number in enumerate(position) if number != UNCHANGED) / 40
    )


def test_every_particle_changes_as_many_words_as_the_budget_says() -> None:
    """In every round, and never a word that has no operations."""
    for amount in (1, 2, 4):
        moving = swarm(amount)
        for number in range(6):
            for position in moving.unknown():
                assert sum(each != UNCHANGED for each in position) == amount
                assert position[0] == UNCHANGED
                moving.learn(position, strength(position), is_fooled=False)
            moving.move(number / 6)


def test_a_swarm_finds_the_strongest_of_all_positions() -> None:
    """Of two words among four with four operations each."""
    moving = swarm(2)
    for number in range(RULES.most_rounds):
        for position in moving.unknown():
            moving.learn(position, strength(position), is_fooled=False)
        moving.move(number / RULES.most_rounds)
    choices = product([UNCHANGED], *[range(-1, N_OPERATIONS)] * 4)
    possible = [each for each in choices if sum(number != UNCHANGED for number in each) == 2]
    assert moving.strongest(1) == [min(possible, key=strength)]


def test_a_position_is_written_and_placed_alike() -> None:
    """What is asked about is what is frozen."""
    moving = swarm(2)
    position = (UNCHANGED, 3, UNCHANGED, 0, UNCHANGED)
    assert moving.written(position) == "one two3 six ten0 red"
    assert moving.text.change(moving.placed(position)).text == moving.written(position)
