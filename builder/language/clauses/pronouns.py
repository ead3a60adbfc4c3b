"""The forms of personal pronouns."""

OBJECT_FORMS = {
    "i": "me",
    "he": "him",
    "she": "her",
    "we": "us",
    "they": "them",
    "it": "it",
    "you": "you",
    "who": "whom",
}
