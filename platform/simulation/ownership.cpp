// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/ownership.h"

#include <pthread.h>

#include <chrono>
#include <thread>

#include "platform/simulation/busy_error.h"

namespace nandscape {

namespace {

constexpr std::uint64_t reads = 1;

std::atomic<std::uint64_t> latest_number = 0;
// Describes the latest fork for a child process. Only the thread `survivor` still exists; the other threads with
// numbers up to `numbered_before` are gone.
std::atomic<std::uint64_t> numbered_before = 0;
std::atomic<std::uint64_t> survivor = 0;

std::uint64_t new_number();

// Returns a number that is unique among the threads of this process.
std::uint64_t this_thread() {
  thread_local const std::uint64_t number = new_number();
  return number;
}

void after_fork_in_child() {
  survivor = this_thread();
  numbered_before = latest_number.load();
}

std::uint64_t new_number() {
  static const int registered = pthread_atfork(nullptr, nullptr, after_fork_in_child);
  static_cast<void>(registered);
  return latest_number += 2;
}

bool left_behind(std::uint64_t thread) {
  return thread <= numbered_before.load(std::memory_order_relaxed) && thread != survivor;
}

}  // namespace

void Ownership::take(std::uint64_t as) {
  for (;;) {
    std::uint64_t holder = 0;
    if (holder_.compare_exchange_strong(holder, as, std::memory_order_acquire)) return;
    if (holder == this_thread()) {
      throw BusyError(
          "this simulation is in the middle of the call that made this callback: it can only be read now; "
          "do the rest after that call");
    }
    if (left_behind(holder & ~reads)) {
      throw BusyError(
          "this process was forked while another thread was in the middle of a call of this simulation, which will "
          "never end here: fork while no call is under way, or create another simulation");
    }
    if ((holder & reads) == 0) {
      throw BusyError(
          "another thread is in the middle of a call of this simulation, which takes one call at a time: wait for that "
          "call to end");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

Ownership::Call::Call(Ownership& simulation) : simulation_(simulation) { simulation_.take(this_thread()); }
Ownership::Call::~Call() { simulation_.give_back(); }

Ownership::Reading::Reading(Ownership& simulation)
    : simulation_(simulation),
      taken_(simulation.holder_.load(std::memory_order_relaxed) != this_thread() || !simulation.calling_back_) {
  if (taken_) simulation_.take(this_thread() | reads);
}

Ownership::Reading::~Reading() {
  if (taken_) simulation_.give_back();
}

}  // namespace nandscape
