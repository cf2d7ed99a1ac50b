# SPDX-License-Identifier: Apache-2.0
"""Configurations made of other tools' files: MQSim's XML, and jobs of fio.

Each converter sets the keys that have a counterpart and tells of everything else that the file says: what it leaves out
or takes otherwise is a remark, with file and line; what would become another experiment without a word is an error.
"""

from nandscape.importing.fio import import_fio
from nandscape.importing.imported import Imported
from nandscape.importing.mqsim import import_mqsim

__all__ = ["Imported", "import_fio", "import_mqsim"]
