"""Lets the tests of this folder import `pages`."""

import sys
from pathlib import Path

# Folders of tests are no packages.
sys.path.insert(0, str(Path(__file__).parent))
