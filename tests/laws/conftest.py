"""Lets the laws import what they draw from: folders of tests are no packages."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
