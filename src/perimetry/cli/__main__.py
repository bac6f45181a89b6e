"""`python -m perimetry.cli`."""

import sys

from perimetry.cli import main

sys.exit(main())
