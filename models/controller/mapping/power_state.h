// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nandscape::controller {

// What of the writes that are under way is brought to flash when a drive is about to lose its power.
enum class Unanswered : std::uint8_t { given_up, written };

struct PowerState {
  bool has_capacitor = false;                    // that feeds it for long enough, whatever it may have to save
  bool saving = false;                           // the supply has failed, and the capacitor still feeds the drive
  Unanswered unanswered = Unanswered::given_up;  // while it saves

  // With a capacitor, what is in the dies' latches and in buffers is durable.
  bool programmed_is_durable() const { return has_capacitor && !saving; }
  bool gives_up_writes() const { return saving && unanswered == Unanswered::given_up; }
};

}  // namespace nandscape::controller
