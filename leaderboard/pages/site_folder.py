"""The folder of a site: writes its files and replaces an older site only when all are written."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment

from contract.machine.errors import bad_input
from contract.schema.names import SITE_MARKER


@dataclass(frozen=True, kw_only=True)
class SiteWriter:
    """Renders templates into the files of a site."""

    folder: Path
    environment: Environment
    shared: dict[str, Any]

    def write_page(self, template: str, path: str, **values: Any) -> None:
        """Render one page; its links are relative to the site's root."""
        root = "../" * path.count("/")
        text = self.environment.get_template(template).render(root=root, **self.shared, **values)
        self.write(path, text)

    def write(self, path: str, text: str) -> None:
        """Write one file of the site."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())


@contextlib.contextmanager
def writing_site(site_dir: Path) -> Iterator[Path]:
    """Yield a new folder that replaces the site when the block ends without an error."""
    _check_replaceable(site_dir)
    site_dir.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=site_dir.parent, prefix=f".{site_dir.name}.", suffix=".part"))
    old = folder.with_suffix(".old")
    try:
        folder.chmod(0o755)
        yield folder
        (folder / SITE_MARKER).write_text("This folder is written by `hardfrost site` and replaced whole.\n")
        if site_dir.exists():
            site_dir.rename(old)
        folder.rename(site_dir)
    finally:
        if old.exists() and not site_dir.exists():
            old.rename(site_dir)
        shutil.rmtree(old, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def _check_replaceable(site_dir: Path) -> None:
    """Raise an error unless the folder is new, empty or an older site."""
    if not site_dir.exists():
        return
    if not site_dir.is_dir():
        raise bad_input(f"{site_dir}: is a file; give a folder for the site")
    if any(site_dir.iterdir()) and not (site_dir / SITE_MARKER).is_file():
        raise bad_input(
            f"{site_dir}: holds files that are not a site of ours;"
            " give a new or an empty folder, or one with an older site"
        )
