"""What the parser's pipeline is made of, and how it is trained."""

from typing import Any

N_STEPS = 1_200
SEED = 0
_WIDTH = 96
_LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": _WIDTH, "upstream": "tok2vec"}
_TAGGER_MODEL = {"@architectures": "spacy.Tagger.v2", "tok2vec": _LISTENER}

CONFIG: dict[str, Any] = {
    "paths": {"train": None, "dev": None, "vectors": None},
    "system": {"seed": SEED},
    "nlp": {
        "lang": "en",
        "pipeline": ["tok2vec", "tagger", "morphologizer", "parser"],
        "batch_size": 256,
    },
    "components": {
        "tok2vec": {
            "factory": "tok2vec",
            "model": {
                "@architectures": "spacy.Tok2Vec.v2",
                "embed": {
                    "@architectures": "spacy.MultiHashEmbed.v2",
                    "width": _WIDTH,
                    "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
                    "rows": [5000, 1000, 2500, 2500],
                    "include_static_vectors": True,
                },
                "encode": {
                    "@architectures": "spacy.MaxoutWindowEncoder.v2",
                    "width": _WIDTH,
                    "depth": 4,
                    "window_size": 1,
                    "maxout_pieces": 3,
                },
            },
        },
        "tagger": {"factory": "tagger", "label_smoothing": 0.05, "model": _TAGGER_MODEL},
        "morphologizer": {"factory": "morphologizer", "label_smoothing": 0.05, "model": _TAGGER_MODEL},
        "parser": {
            "factory": "parser",
            "min_action_freq": 30,
            "model": {
                "@architectures": "spacy.TransitionBasedParser.v2",
                "state_type": "parser",
                "extra_state_tokens": False,
                "hidden_width": 128,
                "maxout_pieces": 3,
                "use_upper": True,
                "tok2vec": _LISTENER,
            },
        },
    },
    "corpora": {
        "train": {"@readers": "spacy.Corpus.v1", "path": "${paths.train}"},
        "dev": {"@readers": "spacy.Corpus.v1", "path": "${paths.dev}"},
    },
    "training": {
        "seed": "${system.seed}",
        "gpu_allocator": None,
        "dropout": 0.1,
        "patience": 0,
        "max_steps": N_STEPS,
        "eval_frequency": 400,
        "optimizer": {"@optimizers": "Adam.v1", "learn_rate": 0.001, "use_averages": True},
        "batcher": {
            "@batchers": "spacy.batch_by_words.v1",
            "discard_oversize": False,
            "tolerance": 0.2,
            "size": {"@schedules": "compounding.v1", "start": 200, "stop": 1000, "compound": 1.002},
        },
        "score_weights": {"tag_acc": 0.3, "morph_acc": 0.1, "dep_las": 0.6},
    },
    "initialize": {"vectors": "${paths.vectors}"},
}
