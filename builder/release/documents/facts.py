"""The facts of a release that its documents are written from."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

from builder.release.documents.task_cards import TaskCard, cards_of, missing_facts
from contract.release.release import Release
from contract.schema.manifest import ImportedFrom, Manifest
from contract.schema.names import tag_of

# Stands where a repository's name goes until the release is published.
UNPUBLISHED = "ORG/NAME"
ATTACKED = frozenset({"score", "gradient"})
OPENINGS: dict[ImportedFrom | None, str] = {
    None: "A frozen adversarial-robustness benchmark for text classifiers, made by Hardfrost.",
    "advglue": "The dev set of AdvGLUE (Wang et al., Adversarial GLUE, 2021) as a release of"
    " Hardfrost. Cases and labels are its authors'. Edits, where there are originals, were found by"
    " comparing texts.",
    "anli": "Adversarial NLI (Nie et al., 2020) as a release of Hardfrost. Texts and labels are its"
    " authors'.",
    "advsquad": "Adversarial SQuAD (Jia and Liang, 2017) as a release of Hardfrost: its questions"
    " with the sentences that were added to distract from their answers, as rows of QNLI that are"
    " not answered, as AdvGLUE has them.",
    "checklist": "Sentiment tests of CheckList (Ribeiro et al., 2020) as a release of Hardfrost."
    " Texts and labels are its authors'; neutral tests are left out.",
    "stresstest": "Stress tests for natural language inference (Naik et al., 2018) as a release of"
    " Hardfrost. Texts and labels are its authors'.",
    "counterfactual": "Counterfactually revised reviews (Kaushik et al., 2020) as a release of"
    " Hardfrost. A case has another label than its original; edits were found by comparing texts.",
    "contrast": "Contrast sets of reviews (Gardner et al., 2020) as a release of Hardfrost. A case"
    " has another label than its original; edits were found by comparing texts.",
}


@dataclass(frozen=True, kw_only=True)
class Facts:
    """A release, the cards of its tasks, and where it is published."""

    release: Release
    cards: Mapping[str, TaskCard]
    repo: str

    @classmethod
    def gather(cls, release: Release, *, repo: str | None = None, cards_path: Path | None = None) -> Self:
        """Return the facts that are known."""
        return cls(release=release, cards=cards_of(release.manifest, cards_path), repo=repo or UNPUBLISHED)

    @property
    def manifest(self) -> Manifest:
        """The manifest of the release."""
        return self.release.manifest

    @property
    def opening(self) -> str:
        """The first sentence of the documents: what the release is."""
        return OPENINGS[self.manifest.imported_from]

    @property
    def without_attacks(self) -> str:
        """The first line of a card whose attacked splits were kept back; else nothing."""
        left_out = {cell.rpartition("/")[2] for cell in self.manifest.left_out} & ATTACKED
        if not left_out or self.is_attacked:
            return ""
        return (
            f"Labels are withheld, and this release has no attacked splits ({', '.join(sorted(left_out))}):"
            " their cases would tell the labels."
        )

    @property
    def languages(self) -> str:
        """A sentence on the language of the texts, as far as cards say it."""
        languages = {card.language for card in self.cards.values()}
        if not languages or len(self.cards) < len(self.manifest.tasks):
            return ""
        return (
            "Texts are English. " if languages == {"en"} else f"Texts are in {', '.join(sorted(languages))}. "
        )

    @property
    def tag(self) -> str:
        """The version's tag on the Hub."""
        return tag_of(self.manifest.version)

    @cached_property
    def missing(self) -> list[str]:
        """What must still be written before this can be published."""
        return missing_facts(self.manifest, self.cards)

    @property
    def is_attacked(self) -> bool:
        """Whether some cases were made against models."""
        return any(split.setting in ATTACKED for split in self.manifest.splits)

    @property
    def n_cases(self) -> int:
        """How many adversarial cases there are."""
        return sum(split.rows for split in self.manifest.splits if split.is_adversarial)

    @property
    def n_samples(self) -> int:
        """How many samples the tasks have together."""
        return sum(task.n_samples for task in self.manifest.tasks)
