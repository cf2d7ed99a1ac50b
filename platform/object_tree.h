// SPDX-License-Identifier: Apache-2.0
// The hierarchy of SystemC objects of the current context, as plain values.
#pragma once

#include "core/value.h"

namespace nandscape {

// A list of {name, kind, children}: modules and their sockets.
Value object_tree();

}  // namespace nandscape
