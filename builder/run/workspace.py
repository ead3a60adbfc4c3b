"""Where a build works: a locked folder with enough room, and a clear error when the disk is full."""

import contextlib
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from builder.surrogates.training import TRAINING
from builder.units.store import UnitStore
from builder.units.units import CaseUnit, Unit
from contract.machine.code import CODE_FOLDER
from contract.machine.disk import check_room, disk_trouble
from contract.machine.errors import UserError
from contract.machine.locks import locked
from contract.machine.terminal import echo
from contract.machine.whole_files import PARTS

# The least that a build needs, and about what a case takes in the store and in the release together.
LEAST_BYTES = 20_000_000
BYTES_A_CASE = 600
# Of these, the release takes one part in so many; it may lie on another disk.
RELEASE_SHARE = 3
# A temporary file that was not touched for a day was left by a build that was killed.
SECONDS_OF_USE = 24 * 60 * 60.0
CACHE_LOCK = ".in-use.lock"
CACHE_FOLDERS = ("units", "surrogates", "associations", "embeddings", "probabilities", CODE_FOLDER)


@contextlib.contextmanager
def exclusive_workspace(out: Path, cache_path: Path) -> Iterator[None]:
    """Lock the output folder for this build and the cache for all builds; explain a full disk."""
    for folder in (cache_path, out.parent):
        check_room(folder, LEAST_BYTES)
    try:
        with (
            locked(
                out.parent / f".{out.name}.lock",
                f"{out}: another build is writing there; wait until it is done, or give another -o",
            ) as is_alone,
            locked(
                cache_path / CACHE_LOCK,
                f"{cache_path}: `hardfrost clean` is emptying it; run the command again when it is done",
                is_shared=True,
            ),
        ):
            if is_alone:
                _sweep(out)
            else:
                echo(
                    f"{out.parent}: this disk has no locks, so nothing keeps two builds apart:"
                    f" let no other one write to {out}",
                    err=True,
                )
            _sweep_cache(cache_path)
            yield
    except UserError:
        raise
    except Exception as error:
        trouble = disk_trouble(error)
        if trouble is None:
            raise
        raise UserError(
            f"{trouble}: the disk cannot take more; every finished unit of work is kept."
            f" Make room there ({cache_path} and {out.parent}), then run the same command again to go on"
        ) from None


def check_room_for(units: Sequence[Unit], store: UnitStore, out: Path) -> None:
    """Refuse to start work that the disk of the store or of the release will not hold."""
    n_cases = sum(
        len(unit.samples) * len(unit.degrees) * (unit.n_cases + unit.n_spare)
        for unit in units
        if isinstance(unit, CaseUnit)
    )
    for folder in {store.cache_path, *store.folders}:
        check_room(folder, LEAST_BYTES + n_cases * BYTES_A_CASE)
    if out.absolute() not in store.folders:
        check_room(out.parent, LEAST_BYTES + n_cases * BYTES_A_CASE // RELEASE_SHARE)


def _sweep(out: Path) -> None:
    """Delete the unfinished files of killed builds; the lock says that no build is running."""
    for leftover in out.parent.glob(f".{out.name}.*.part"):
        if leftover.is_dir():
            shutil.rmtree(leftover, ignore_errors=True)
    for pattern in (PARTS, f"units/*/{PARTS}"):
        for leftover in out.glob(pattern):
            leftover.unlink(missing_ok=True)


def _sweep_cache(cache_path: Path) -> None:
    """Delete them from the cache, too, which other builds may be using: only files that are old."""
    leftovers = [each for name in CACHE_FOLDERS for each in (cache_path / name).rglob(PARTS)]
    for leftover in [*leftovers, *(cache_path / "surrogates").glob(f"{TRAINING}*")]:
        # Another build may sweep at the same time.
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > SECONDS_OF_USE:
                if leftover.is_dir():
                    shutil.rmtree(leftover, ignore_errors=True)
                else:
                    leftover.unlink()
