"""A grammar of sentences that have nothing to do with any task: furniture, opening hours, hedges."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from builder.values.associations import cores_of
from builder.values.randomness import Draw

# Words that sentiment lexicons rate, or that stand for a class of news, are left out throughout: no
# "clear", "light" or "fresh", no shops, prices, teams, games, countries or machines. A test reads them all.
FILLERS: Mapping[str, tuple[str, ...]] = {
    "vehicle": ("bus", "tram", "ferry", "van", "minibus", "shuttle"),
    "stop": ("harbour", "mill", "chapel", "village", "quay", "lighthouse", "orchard", "bridge", "crossroads"),
    "number": ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "ordinal": ("second", "third", "fourth", "fifth", "sixth"),
    "hour": ("six", "seven", "eight", "nine", "ten", "eleven", "noon"),
    "minutes": ("ten", "fifteen", "twenty", "thirty", "forty"),
    "day": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    "month": ("march", "april", "june", "july", "september", "october", "november", "december"),
    "quarter": ("north", "south", "west", "east"),
    "daytime": ("morning", "afternoon", "evening"),
    "colour": ("blue", "brown", "yellow", "white", "red", "beige", "purple"),
    "shape": ("square", "rectangular", "wooden", "wicker", "folding"),
    "seat": ("chair", "stool", "bench", "couch", "footstool"),
    "cupboard": ("wardrobe", "cupboard", "dresser", "bookcase", "sideboard", "cabinet"),
    "room": ("hallway", "kitchen", "attic", "cellar", "corridor", "pantry"),
    "place": ("library", "post office", "laundry", "bakery", "pharmacy", "town hall", "barber"),
    "flower": ("tulips", "daisies", "daffodils", "marigolds", "lilacs", "ferns"),
    "edge": ("hedge", "fence", "gate", "shed", "pond", "footpath"),
    "tool": ("rake", "wheelbarrow", "watering can", "hosepipe", "trowel"),
    "paper": ("envelopes", "postcards", "notebooks", "folders", "labels", "index cards"),
    "pen": ("ruler", "pencil", "stapler", "sharpener", "crayon"),
    "dish": ("cups", "saucers", "plates", "spoons", "forks", "bowls"),
    "grain": ("flour", "rice", "barley", "semolina", "millet", "oatmeal"),
    "pan": ("kettle", "saucepan", "teapot", "colander", "casserole"),
    "garment": ("coat", "scarf", "jacket", "apron", "raincoat", "cardigan"),
    "linen": ("socks", "towels", "pillowcases", "napkins", "tablecloths"),
    "container": ("box", "basket", "crate", "jar", "bucket", "drawer"),
    "opening": ("door", "window", "skylight", "staircase", "porch"),
    "bird": ("sparrows", "pigeons", "ducks", "geese", "swallows"),
    "tree": ("oak", "birch", "beech", "chestnut", "willow", "maple"),
}

# Each topic is one thing to go on about: several of its sentences read as one irrelevant paragraph.
TOPICS: Mapping[str, tuple[str, ...]] = {
    "timetable": (
        "the {vehicle} to the {stop} leaves at {hour} on {day}",
        "on {day} the {vehicle} for the {stop} leaves at {hour}",
        "the {vehicle} passes the {stop} every {minutes} minutes",
        "a {vehicle} goes from the {stop} to the {stop2} at {hour}",
        "it takes {minutes} minutes by {vehicle} from the {stop} to the {stop2}",
        "the {ordinal} {vehicle} in the {daytime} goes to the {stop}",
        "from {month} the {vehicle} goes by way of the {stop} and the {stop2}",
        "there are {number} departures from the {stop} on {day} {daytime}",
        "there is a timetable for the {vehicle} at the {stop}",
        "the {vehicle} waits by the {stop} from {hour} to {hour2}",
    ),
    "furniture": (
        "there is a {colour} {seat} beside the {cupboard} in the {room}",
        "the {cupboard} stands between the {seat} and the {opening}",
        "the {cupboard} in the {room} has {number} drawers",
        "a {shape} table stands in the {room}",
        "the {seat} by the {opening} is {colour}",
        "there are {number} chairs around the {shape} table",
        "the {seat} and the {cupboard} are made of {tree}",
        "between the {cupboard} and the {cupboard2} there is a {shape} {seat}",
        "the {seat} in the {room} has a {colour} cushion",
        "the carpet in the {room} is {colour} and {colour2}",
    ),
    "opening hours": (
        "the {place} opens at {hour} on {day}",
        "on {day} the {place} closes at {hour}",
        "the {place} is beside the {place2}",
        "the {place} is staffed from {hour} to {hour2} on {day}",
        "on {day} and {day2} the {place} opens at {hour}",
        "in {month} the {place} closes at {hour} on {day}",
        "the {place} has its hours on a sign by the {opening}",
        "from {month} to {month2} the {place} opens on {day} {daytime}",
        "the {place} and the {place2} are by the {stop}",
    ),
    "weather": (
        "some clouds came from the {quarter} on {day}",
        "there were some clouds on {day} {daytime}",
        "the wind was from the {quarter} around {hour} on {day}",
        "the thermometer by the {opening} says {number} degrees in the {daytime}",
        "in {month} the wind is from the {quarter} in the {daytime}",
        "there was some fog by the {stop} on {day}",
        "in {month} and {month2} there is some drizzle by the {stop}",
        "the clouds over the {stop} are white in the {daytime}",
        "it rained from {hour} to {hour2} on {day}",
    ),
    "garden": (
        "there are {number} {flower} beside the {edge}",
        "the {flower} by the {edge} are {colour}",
        "the {tool} stands beside the {edge}",
        "the {flower} are watered on {day} {daytime}",
        "the leaves by the {edge} are raked in {month}",
        "the {tool} and the {tool2} are kept in the shed",
        "{flower} and {flower2} are planted in {month}",
        "between the {edge} and the {edge2} there are {number} {flower}",
        "the {tool} is used in the {daytime} on {day}",
    ),
    "stationery": (
        "there are {number} {paper} in the {container}",
        "the {pen} is kept with the {paper}",
        "the {paper} are in the {ordinal} drawer",
        "the {colour} {pen} is in the {container} with the {paper}",
        "the {paper} come in {colour} and {colour2}",
        "there is a {pen} and there are {number} {paper} on the desk",
        "the {pen} and the {pen2} are on the desk by the {opening}",
        "the {colour} {paper} are for {month} and the {colour2} ones are for {month2}",
    ),
    "kitchen": (
        "the {dish} are in the {ordinal} drawer",
        "there are {number} spoonfuls of {grain} in the {pan}",
        "the {pan} stands on the stove with the {grain}",
        "the {dish} and the {dish2} are in the cupboard",
        "there are {number} {dish} on the table by the {pan}",
        "the {grain} is kept in the {colour} {container}",
        "the {pan} is rinsed in the {daytime}",
        "between the {pan} and the {pan2} there are {number} {dish}",
    ),
    "laundry": (
        "the {garment} is hanging by the {opening}",
        "the {linen} are folded in the {cupboard}",
        "the {colour} {garment} is with the {linen}",
        "the {linen} are ironed on {day}",
        "there are {number} {linen} in the {container}",
        "the {garment} and the {garment2} are on the clothes line",
        "the {colour} {linen} are washed on {day} {daytime}",
        "there is a button on the {garment} and it is {colour}",
    ),
    "building": (
        "the steps to the {room} are by the {opening}",
        "the {opening} of the {room} is {colour}",
        "there is a {colour} doormat by the {opening}",
        "the {room} is between the {room2} and the {opening}",
        "there are {number} steps between the {room} and the {opening}",
        "the walls of the {room} are {colour}",
        "the ceiling of the {room} is {colour} and the walls are {colour2}",
        "there are {number} hooks and a {shape} mirror in the {room}",
    ),
    "trees and birds": (
        "the {bird} sit on the {edge} by the {tree} tree",
        "{number} {tree} trees stand along the {edge}",
        "the {tree} by the {edge} has {colour} leaves in {month}",
        "in {month} the {bird} are by the pond",
        "the {container} is made of {tree} wood",
        "there are {number} {bird} beside the {edge}",
        "between the {tree} and the {tree2} there is a {edge}",
        "the {bird} and the {bird2} come in {month}",
    ),
}

# True of anything. "True is true", as StressTest has it, holds a word that sentiment lexicons rate.
# The first kind says next to nothing and moves a text by a hair, the second brings a thing to mind.
EMPTY_TAUTOLOGIES = tuple(
    f"and {clause}"
    for clause in (
        "that is that",
        "this is this",
        "here is here",
        "there is there",
        "then is then",
        "one is one",
        "each is each",
        "both are both",
        "some are some",
        "these are these",
        "those are those",
        "a part is a part",
        "somewhere is somewhere",
        "anything is anything",
    )
)
TAUTOLOGIES = tuple(
    f"and {thing} is {thing}"
    for thing in (
        *FILLERS["day"],
        *FILLERS["month"],
        *FILLERS["number"],
        *FILLERS["colour"],
        *("a chair", "a spoon", "a week", "a hedge", "a bus", "an hour", "a door", "a window", "a box"),
    )
)

_SLOT = re.compile(r"\{([a-z]+)\d?\}")


@dataclass(frozen=True, slots=True)
class NeutralSentences:
    """The grammar without words that must not be used."""

    topics: tuple[tuple[str, ...], ...]
    fillers: Mapping[str, tuple[str, ...]]
    empty_tautologies: tuple[str, ...]
    tautologies: tuple[str, ...]

    def sentence(self, topic: Sequence[str], draw: Draw) -> str:
        """Return a sentence of a topic in small letters, without its full stop."""
        taken: list[str] = []

        def fill(slot: re.Match[str]) -> str:
            fillers = self.fillers[slot.group(1)]
            taken.append(draw.choice([filler for filler in fillers if filler not in taken] or fillers))
            return taken[-1]

        return _SLOT.sub(fill, draw.choice(topic))


@lru_cache(maxsize=16)
def neutral_sentences(avoid: frozenset[str]) -> NeutralSentences:
    """Return the grammar without the words to avoid; what cannot be said without them is left out."""
    fillers = {name: _without(words, avoid) for name, words in FILLERS.items()}
    topics = (
        tuple(
            template
            for template in _without(templates, avoid)
            if all(fillers[name] for name in _SLOT.findall(template))
        )
        for templates in TOPICS.values()
    )
    return NeutralSentences(
        topics=tuple(topic for topic in topics if topic),
        fillers=fillers,
        empty_tautologies=_without(EMPTY_TAUTOLOGIES, avoid),
        tautologies=_without(TAUTOLOGIES, avoid),
    )


def _without(phrases: Sequence[str], avoid: frozenset[str]) -> tuple[str, ...]:
    return tuple(phrase for phrase in phrases if avoid.isdisjoint(cores_of(_SLOT.sub(" ", phrase))))
