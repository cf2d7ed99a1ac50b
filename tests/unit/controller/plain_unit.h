// SPDX-License-Identifier: Apache-2.0
// A unit write that ignores its completion.
#pragma once

#include "controller/writing/unit_write.h"

namespace nandscape::controller {

struct PlainUnit final : UnitWrite {
  void refused(Tick) override {}
  void release() override {}
};

}  // namespace nandscape::controller
