// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nandscape::controller {

// What becomes of unanswered writes when a drive is about to lose its power.
enum class Unanswered : std::uint8_t { given_up, written };

struct PowerState {
  bool has_capacitor = false;                    // feeds the drive long enough for the longest save
  bool saving = false;                           // the supply has failed, and the capacitor still feeds the drive
  Unanswered unanswered = Unanswered::given_up;  // while it saves

  // With a capacitor, data in the dies' latches and in buffers are durable.
  bool programmed_is_durable() const { return has_capacitor && !saving; }
  bool gives_up_writes() const { return saving && unanswered == Unanswered::given_up; }
};

}  // namespace nandscape::controller
