"""Relatives of surrogates: who is one, how that was found, and its scores without its own family."""

from contract.schema.results import Kin, Result, WithoutFamily
from leaderboard.text.formatting import percent
from leaderboard.text.untrusted_text import shortened, visible


def kin_of(result: Result) -> list[Kin]:
    """Return the surrogates that a model errs like, the nearest first."""
    return sorted((kin for kin in result.kin if kin.is_kin), key=lambda kin: -kin.consistency)


def own_families(result: Result) -> list[str]:
    """Return the families that a model belongs to: as it says itself, and as its errors show."""
    named = [kin.family for kin in result.kin if kin.surrogate == result.model.surrogate]
    return list(dict.fromkeys([*named, *(kin.family for kin in kin_of(result))]))


def own_score(result: Result) -> WithoutFamily | None:
    """Return the scores without the model's own family; of several families, without the first."""
    for family in own_families(result):
        without = result.without_families.get(family)
        if without is not None and without.n_dropped:
            return without
    return None


def kinship_text(result: Result) -> str:
    """Return how the kinship was found and the scores without the family, or nothing for other models."""
    sentences = []
    if result.model.is_surrogate_family:
        which = f" ({shortened(result.model.surrogate)})" if result.model.surrogate else ""
        sentences.append(
            f"This model is a surrogate{which}, one of the classifiers that the cases were made with: its"
            " scores are no results and do not compare with those of other models."
        )
    relatives = kin_of(result)
    if relatives:
        named = ", ".join(f"{shortened(kin.surrogate)} (κ {kin.consistency:.2f})" for kin in relatives[:3])
        sentences.append(
            f"Its errors on random cases agree with those of {named} more than accuracies explain, so it is"
            " taken for kin of that surrogate: attempts made against that family hit it harder than others."
        )
    for family in own_families(result):
        without = result.without_families.get(family)
        if without is not None:
            sentences.append(_without_text(family, without))
    return " ".join(sentences)


def without_families_rows(result: Result) -> tuple[tuple[str, ...], ...]:
    """Return for each family left out: name, cases left out, robustness, average, transferable accuracy."""
    return tuple(
        (
            visible(family, 60),
            f"{without.n_dropped:,}",
            percent(without.score),
            percent(without.average),
            "–"
            if without.transferable is None
            else f"{percent(without.transferable.accuracy)} (n = {without.transferable.n_cases:,})",
        )
        for family, without in result.without_families.items()
    )


def _without_text(family: str, without: WithoutFamily) -> str:
    name = shortened(family)
    if not without.n_dropped:
        return f"No attempt was made against the family {name}."
    if without.score is None:
        return f"Without the {without.n_dropped:,} attempts against the family {name} it cannot be scored."
    return (
        f"Without the {without.n_dropped:,} attempts against the family {name} its robustness is"
        f" {percent(without.score)}, its average {percent(without.average)}."
    )
