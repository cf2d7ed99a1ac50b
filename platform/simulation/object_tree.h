// SPDX-License-Identifier: Apache-2.0
// The hierarchy of SystemC objects of a context, as plain values.
#pragma once

#include "core/value.h"
#include "platform/simulation/kernel_context.h"

namespace nandscape {

// A list of {name, kind, children}: modules and their sockets.
Value object_tree(const KernelContext& context);

}  // namespace nandscape
