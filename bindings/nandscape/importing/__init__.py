# SPDX-License-Identifier: Apache-2.0
"""Configurations converted from other tools' files: MQSim's XML, and job files of fio.

Each converter sets the keys that have a counterpart and reports every other setting of the file. A setting that it
ignores or interprets differently becomes a remark with file and line. A setting that would silently change the
experiment is an error.
"""

from nandscape.importing.fio import import_fio
from nandscape.importing.imported import Imported
from nandscape.importing.mqsim import import_mqsim

__all__ = ["Imported", "import_fio", "import_mqsim"]
