// SPDX-License-Identifier: Apache-2.0
// What of a configuration may be another one when a checkpoint is restored.
#pragma once

#include "core/value.h"

namespace nandscape {

// Compares resolved configurations. Throws ConfigError, with its place in `given`, for the first key that differs and
// that the saved state depends on.
void check_restorable(const Value& saved, const Value& resolved, const Value& given);

}  // namespace nandscape
