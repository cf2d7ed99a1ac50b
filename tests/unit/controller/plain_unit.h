// SPDX-License-Identifier: Apache-2.0
// The write of a unit that nobody asks about.
#pragma once

#include "controller/writing/unit_write.h"

namespace nandscape::controller {

struct PlainUnit final : UnitWrite {
  void programmed(Tick) override {}
  void refused(Tick) override {}
  void release() override {}
};

}  // namespace nandscape::controller
