"""Helpers for tests of the rules; the second reading of them (`oracle.py`, `oracle_game.py`) is imported by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
