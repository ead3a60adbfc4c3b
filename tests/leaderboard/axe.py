"""Fetches axe-core, which tests pages for accessibility, from npm; its content is pinned.

Run by `make test`: python tests/leaderboard/axe.py
"""

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "4.14.0"
SHA512 = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="
AXE_PATH = Path(sys.prefix) / "axe-core" / f"axe-{VERSION}.min.js"


def main() -> None:
    """Fetch axe-core if it is missing; print a note without npm, exit if its content is another."""
    if AXE_PATH.is_file():
        return
    npm = shutil.which("npm")
    with tempfile.TemporaryDirectory() as folder:
        if npm is None or not _download(npm, folder):
            sys.stderr.write("NO AXE-CORE (npm is missing or cannot fetch it): accessibility is not tested\n")
            return
        (archive,) = Path(folder).glob("*.tgz")
        content = archive.read_bytes()
        found = base64.b64encode(hashlib.sha512(content).digest()).decode()
        if found != SHA512:
            sys.exit(f"axe-core {VERSION}: sha512 is {found}, expected {SHA512}; do not use it")
        with tarfile.open(archive) as packed:
            script = packed.extractfile("package/axe.min.js")
            if script is None:
                sys.exit(f"axe-core {VERSION}: holds no axe.min.js")
            AXE_PATH.parent.mkdir(exist_ok=True)
            AXE_PATH.write_bytes(script.read())


def _download(npm: str, folder: str) -> bool:
    command = [npm, "pack", "--silent", "--ignore-scripts", f"axe-core@{VERSION}"]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True).returncode == 0


if __name__ == "__main__":
    main()
