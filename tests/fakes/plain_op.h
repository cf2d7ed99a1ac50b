// SPDX-License-Identifier: Apache-2.0
// A flash command that ignores its completion.
#pragma once

#include "controller/flash_ops/flash_op.h"

namespace nandscape::controller {

struct PlainOp final : FlashOp {
  void array_done(Tick) override {}
};

}  // namespace nandscape::controller
