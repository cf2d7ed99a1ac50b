// SPDX-License-Identifier: Apache-2.0
// A unit write that records its progress in a log.
#pragma once

#include <algorithm>
#include <vector>

#include "controller/writing/unit_write.h"

namespace nandscape::controller {

// The logical page numbers of units that were programmed, became durable or were refused, each list in the order of the
// events.
struct UnitLog {
  std::vector<std::uint64_t> programmed, durable, refused;
};

struct FakeUnit final : UnitWrite {
  explicit FakeUnit(UnitLog& unit_log) : log(unit_log) {}
  void programmed(bool, Tick) override { log.programmed.push_back(lpn.value); }
  void refused(Tick) override { log.refused.push_back(lpn.value); }
  void release() override { log.durable.push_back(lpn.value); }
  void copy_data(std::byte* bytes) const override { std::ranges::copy(data, bytes); }

  UnitLog& log;
  std::vector<std::byte> data;
};

// A unit write that ignores all notifications.
struct PlainUnit final : UnitWrite {
  void refused(Tick) override {}
  void release() override {}
};

}  // namespace nandscape::controller
