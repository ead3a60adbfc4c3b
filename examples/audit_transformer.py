"""Audits a transformer: python audit_transformer.py FILE.csv MODEL [FOLDER] [LIMIT].

MODEL is a sequence classifier of the transformers library: a folder, or an id of the Hugging Face Hub such as
distilbert/distilbert-base-uncased-finetuned-sst-2-english.
"""

import sys
from pathlib import Path

import hardfrost


def main(file: str, model: str, folder: str = "audited", limit: str = "100") -> None:
    """Attack the model for five minutes at most, and show the edits that its answers do not survive."""
    spec = f"hf:{Path(model).absolute()}" if Path(model).is_dir() else f"hf:{model}"
    score = hardfrost.audit(
        spec,
        data=file,
        out=folder,
        limit=int(limit),
        # Characters are the cheapest to change; words and sentences take longer.
        dimensions=["typo-malicious", "glyph-malicious"],
        time_budget="5m",
        batch_size=64,
        name=Path(model).name,
        progress=True,
    )
    print(score)
    print(score.to_pandas().to_string(index=False))
    print(f"Open {score.report_path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
