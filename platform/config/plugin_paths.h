// SPDX-License-Identifier: Apache-2.0
// Paths of plug-ins (`ecc.plugin`, `ecc.background.plugin`, `controller.content.plugin`).
#pragma once

#include "core/value.h"

namespace nandscape {

// Makes each an absolute path: from the folder of the file that gives it, or from the working directory where no file
// does. So a resolved configuration names the same library wherever it is loaded.
void make_plugin_paths_absolute(Value& tree);

}  // namespace nandscape
