// SPDX-License-Identifier: Apache-2.0
// Shows the modules and sockets of a SystemC context as a tree of plain values.
#pragma once

#include "core/value.h"
#include "platform/simulation/kernel_context.h"

namespace nandscape {

// Returns a list of {name, kind, children} for the modules. The children of a module are modules and sockets.
Value object_tree(const KernelContext& context);

}  // namespace nandscape
