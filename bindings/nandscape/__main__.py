# SPDX-License-Identifier: Apache-2.0
"""`python -m nandscape` is the command `nandscape`."""

import sys

from nandscape.cli.main import main

sys.exit(main())
