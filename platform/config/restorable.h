// SPDX-License-Identifier: Apache-2.0
// Checks which keys of a configuration may change when a checkpoint is restored.
#pragma once

#include "core/value.h"

namespace nandscape {

// Compares resolved configurations. Throws ConfigError, with the source location in `given`, for the first changed key
// that the saved state depends on.
void check_restorable(const Value& saved, const Value& resolved, const Value& given);

}  // namespace nandscape
