// SPDX-License-Identifier: Apache-2.0
// Measures how long a limit holds work back, for example a full window, a full FIFO or a busy die. The owner calls
// set() when work may have begun or ceased to wait at the limit. A call that changes nothing costs only one comparison.
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

  // No work is held back across a power cycle or a checkpoint, so only the total is saved.
  void persist(Archive& archive) { archive(total_); }

 private:
  Tick since_ = 0;
  Tick total_ = 0;
  bool holds_back_ = false;
};

}  // namespace nandscape
