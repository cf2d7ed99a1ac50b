// SPDX-License-Identifier: Apache-2.0
// For how long a limit has held work back: a window that is full, a FIFO without room, a die that is taken. The owner
// states whether it does whenever that may have changed; as long as the answer stays the same, that costs a comparison.
#pragma once

#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape {

class TimeAtLimit {
 public:
  void set(bool holds_back, Tick now) {
    if (holds_back == holds_back_) [[likely]]
      return;
    holds_back_ = holds_back;
    if (holds_back) {
      since_ = now;
    } else {
      total_ += now - since_;
    }
  }
  bool holds_back() const { return holds_back_; }
  Tick total(Tick now) const { return holds_back_ ? total_ + (now - since_) : total_; }

  // Work that is held back ends with the power, or before a checkpoint.
  void persist(Archive& archive) { archive(total_); }

 private:
  Tick since_ = 0;
  Tick total_ = 0;
  bool holds_back_ = false;
};

}  // namespace nandscape
