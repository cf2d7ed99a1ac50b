// SPDX-License-Identifier: Apache-2.0
#include "core/interruption.h"

#include <chrono>
#include <utility>

namespace nandscape {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto interval = std::chrono::milliseconds(50);

thread_local const Interruptible* current = nullptr;
thread_local Clock::time_point next;

}  // namespace

Interruptible::Interruptible(std::function<bool()> wanted)
    : wanted_(std::move(wanted)), before_(std::exchange(current, this)) {
  next = Clock::now() + interval;
}

Interruptible::~Interruptible() { current = before_; }

bool still_wanted() {
  if (current == nullptr) return true;
  const Clock::time_point now = Clock::now();
  if (now < next) return true;
  next = now + interval;
  return current->wanted_();
}

}  // namespace nandscape
