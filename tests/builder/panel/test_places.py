"""Attempts get places by turns of their sources, whatever anybody votes."""

from collections import Counter, defaultdict

from hypothesis import given
from hypothesis import strategies as st

from builder.panel.places import Attempt, give_places
from contract.schema.drop_reasons import DUPLICATE, ENOUGH_CASES, WEAKER_THAN_LOWER_DEGREE

SOURCES = ("words", "characters", "encoder")


def attempt(  # noqa: PLR0917
    source: str,
    text: str,
    sample: str = "s-1",
    tool: str | None = None,
    degree: float = 0.1,
    probability: float = 0.5,
) -> Attempt:
    """Return an attempt."""
    return Attempt(
        sample_id=sample,
        degree=degree,
        source=source,
        tool=tool,
        dimension="typo-general",
        setting="score",
        text=(text, None),
        probability=probability,
    )


attempts = st.lists(
    st.builds(
        attempt,
        st.sampled_from(SOURCES),
        st.sampled_from("abcdefgh"),
        st.sampled_from(["s-1", "s-2", "s-3"]),
        st.sampled_from([None, "textattack:pwws"]),
    ),
    max_size=25,
)


@given(attempts, st.integers(1, 4))
def test_every_sample_with_an_attempt_keeps_as_many_as_are_wanted(tries: list[Attempt], n: int) -> None:
    """Places stay empty only where there is no other text."""
    kept = [each for each, reason in zip(tries, give_places(tries, n), strict=True) if reason is None]
    texts = defaultdict(set)
    for each in tries:
        texts[each.sample_id].add(each.text)
    assert Counter(each.sample_id for each in kept) == {
        sample: min(n, len(of_sample)) for sample, of_sample in texts.items()
    }
    assert len({(each.sample_id, each.text) for each in kept}) == len(kept)


@given(attempts, st.integers(1, 4))
def test_other_samples_change_nothing(tries: list[Attempt], n: int) -> None:
    """So neither the size of units nor the number of workers does."""
    together = give_places(tries, n)
    for sample in {each.sample_id for each in tries}:
        own = [number for number, each in enumerate(tries) if each.sample_id == sample]
        assert give_places([tries[number] for number in own], n) == [together[number] for number in own]


def test_the_strongest_of_every_source_goes_before_the_second_of_any() -> None:
    """Whichever source begins."""
    tries = [attempt(source, f"{source} {rank}") for source in SOURCES for rank in range(3)]
    reasons = give_places(tries, 3)
    kept = [each.text[0] for each, reason in zip(tries, reasons, strict=True) if reason is None]
    assert kept == ["words 0", "characters 0", "encoder 0"]
    assert set(reasons) == {None, ENOUGH_CASES}


def test_a_text_of_two_sources_is_kept_once() -> None:
    """The other one is a duplicate, and its source's next attempt may have the place."""
    tries = [attempt("words", "same"), attempt("characters", "same"), attempt("characters", "own")]
    reasons = give_places(tries, 2)
    assert reasons[2] is None
    assert sorted(map(str, reasons[:2])) == sorted(map(str, [None, DUPLICATE]))


def test_which_source_begins_differs_from_sample_to_sample() -> None:
    """Each of three sources begins for about a third of the samples."""
    firsts: Counter[str] = Counter()
    for number in range(300):
        tries = [attempt(source, source, f"s-{number}") for source in SOURCES]
        (kept,) = [each for each, why in zip(tries, give_places(tries, 1), strict=True) if why is None]
        firsts[kept.source] += 1
    assert all(70 < firsts[source] < 130 for source in SOURCES)


def test_attempts_of_another_tool_alternate_with_ours() -> None:
    """A tool against a source neither waits for all of ours nor takes a turn of its own."""
    tries = [
        attempt("words", "ours 0"),
        attempt("words", "ours 1"),
        attempt("words", "theirs", tool="textattack:pwws"),
    ]
    assert give_places(tries, 2) == [None, ENOUGH_CASES, None]


degreed = st.lists(
    st.builds(
        attempt,
        st.sampled_from(SOURCES),
        st.text("abcdefgh", min_size=3, max_size=5),
        st.sampled_from(["s-1", "s-2"]),
        st.sampled_from([None, "textattack:pwws"]),
        st.sampled_from([0.05, 0.1, 0.3]),
        st.sampled_from([0.1, 0.2, 0.4, 0.6]),
    ),
    max_size=25,
)


@given(degreed)
def test_no_attempt_is_kept_whose_attack_was_stronger_at_a_lower_degree(tries: list[Attempt]) -> None:
    """And every attack keeps its strongest attempt: nothing but a stronger one takes a place away."""
    reasons = give_places(tries, len(tries) + 1)
    best: dict[tuple[str, str, str | None], dict[float, float]] = defaultdict(dict)
    for each, reason in zip(tries, reasons, strict=True):
        if reason is None or reason is DUPLICATE:
            of_attack = best[each.sample_id, each.source, each.tool]
            of_attack[each.degree] = min(each.probability, of_attack.get(each.degree, 1.0))
    for of_attack in best.values():
        in_order = [of_attack[degree] for degree in sorted(of_attack)]
        assert in_order == sorted(in_order, reverse=True)
    for each, reason in zip(tries, reasons, strict=True):
        if reason is WEAKER_THAN_LOWER_DEGREE:
            of_attack = best[each.sample_id, each.source, each.tool]
            assert any(
                degree < each.degree and probability < each.probability
                for degree, probability in of_attack.items()
            )


def test_a_weaker_second_attempt_stays_beside_a_stronger_first() -> None:
    """Attempts of one degree differ on purpose; the strongest decides for all."""
    tries = [
        attempt("words", "low", degree=0.1, probability=0.4),
        attempt("words", "first", degree=0.2, probability=0.3),
        attempt("words", "second", degree=0.2, probability=0.5),
        attempt("characters", "own", degree=0.2, probability=0.9),
    ]
    assert give_places(tries, 5) == [None] * 4
