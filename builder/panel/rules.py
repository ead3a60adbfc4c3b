"""The rules by which the panel decides about attacked cases, as `hardfrost list filters` tells them."""

from typing import NamedTuple

from contract.machine.registry import Registry


class PanelRule(NamedTuple):
    """A rule that always holds, set by a key of the recipe."""

    name: str
    summary: str


PANEL_RULES: Registry[PanelRule] = Registry(
    "rule of the panel",
    [
        PanelRule("no weaker attempt", "a larger budget is frozen only where it hurts its source no less"),
        PanelRule("places", "of a sample and degree `cases` attempts are kept; sources take turns"),
        PanelRule("transferability", "a tier: the source and `min_fooled` of the other families are fooled"),
    ],
)
