// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/kernel_lock.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/interruption.h"
#include "platform/simulation/busy_error.h"

namespace nandscape {

namespace {

constexpr auto patience = std::chrono::milliseconds(50);  // time between two checks for cancellation

struct State {
  std::mutex mutex;  // guards the members below; it is locked only briefly
  std::condition_variable given_back;
  std::thread::id owner;  // thread that holds the lock; none if the lock is free
  unsigned depth = 0;
  std::deque<std::uint64_t> waiting;  // tickets of the waiting threads, beginning with the next one
  std::uint64_t tickets = 0;
  bool abandoned = false;  // the owner is a thread of the parent process, which does not exist after the fork
  std::vector<std::function<void()>> jobs;
};

State* state = nullptr;

// After a fork, the child process uses a new mutex and a new condition variable. Threads that do not exist in the child
// may have been waiting on the old ones.
void before_fork() { state->mutex.lock(); }
void after_fork_in_parent() { state->mutex.unlock(); }
void after_fork_in_child() {
  State* const before = state;
  state = new State;
  state->jobs = std::move(before->jobs);
  state->abandoned = before->abandoned;
  if (before->owner == std::this_thread::get_id()) {
    state->owner = before->owner;
    state->depth = before->depth;
  } else if (before->owner != std::thread::id()) {
    state->abandoned = true;
  }
}

State& the_state() {
  static const bool made = [] {
    state = new State;  // never destroyed, because any static object may hold a simulation
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    return true;
  }();
  static_cast<void>(made);
  return *state;
}

[[noreturn]] void refuse() {
  throw BusyError(
      "this process was forked while another thread was simulating, so its kernel is inconsistent: fork while no "
      "simulation runs, or start processes with the method \"spawn\"");
}

// Acquires the lock with `depth` levels. Waits at the end of the queue, or at its front if `first` is set. Returns
// false without the lock if `wanted` returns false.
bool take(unsigned depth, bool first, bool (*wanted)()) {
  State& s = the_state();
  std::unique_lock lock(s.mutex);
  const std::uint64_t ticket = s.tickets++;
  first ? s.waiting.push_front(ticket) : s.waiting.push_back(ticket);
  while (s.owner != std::thread::id() || s.waiting.front() != ticket) {
    s.given_back.wait_for(lock, patience);
    lock.unlock();
    const bool go_on = wanted();
    if (state != &s) {  // `wanted` has forked, and this is the child
      lock.release();
      refuse();
    }
    lock.lock();
    if (go_on) continue;
    std::erase(s.waiting, ticket);
    s.given_back.notify_all();  // another ticket may be first now
    return false;
  }
  s.waiting.pop_front();
  s.owner = std::this_thread::get_id();
  s.depth = depth;
  return true;
}

// Runs the deferred jobs, and then releases all levels of the lock at once.
void give_back(State& s, std::unique_lock<std::mutex>& lock) {
  while (!s.jobs.empty()) {
    const std::vector<std::function<void()>> jobs = std::exchange(s.jobs, {});
    lock.unlock();
    for (const auto& job : jobs) job();
    lock.lock();
  }
  s.owner = std::thread::id();
  s.depth = 0;
  s.given_back.notify_all();
}

bool is_owner(const State& s) { return s.owner == std::this_thread::get_id(); }

}  // namespace

KernelLock::KernelLock() {
  State& s = the_state();
  {
    const std::lock_guard lock(s.mutex);
    if (is_owner(s)) {
      ++s.depth;
      return;
    }
    if (s.abandoned) refuse();
  }
  if (!take(1, false, still_wanted)) throw Interrupted();
}

KernelLock::~KernelLock() {
  State& s = the_state();
  std::unique_lock lock(s.mutex);
  if (s.depth > 1) {
    --s.depth;
  } else {
    give_back(s, lock);
  }
}

KernelLock::Released::Released(Return where) : where_(where) {
  State& s = the_state();
  std::unique_lock lock(s.mutex);
  depth_ = is_owner(s) ? s.depth : 0;
  if (depth_ != 0) give_back(s, lock);
}

KernelLock::Released::~Released() noexcept(false) {  // NOLINT(bugprone-exception-escape)
  if (depth_ == 0) return;
  State& s = the_state();
  bool abandoned = false;
  {
    // Acquiring the lock does not use the kernel. It is therefore safe in such a child process, even while an exception
    // unwinds the stack.
    const std::lock_guard lock(s.mutex);
    abandoned = s.abandoned;
  }
  take(depth_, where_ == Return::first, [] { return true; });
  if (abandoned && std::uncaught_exceptions() == 0) refuse();
}

bool KernelLock::held() {
  State& s = the_state();
  const std::lock_guard lock(s.mutex);
  return is_owner(s);
}

void KernelLock::give_way() {
  {
    State& s = the_state();
    const std::lock_guard lock(s.mutex);
    if (s.waiting.empty()) return;
  }
  const Released released(Released::Return::last);
}

void KernelLock::when_free(std::function<void()> job) {
  State& s = the_state();
  {
    const std::lock_guard lock(s.mutex);
    if (s.owner != std::thread::id() || s.abandoned) {
      s.jobs.push_back(std::move(job));
      return;
    }
    s.owner = std::this_thread::get_id();
    s.depth = 1;
  }
  job();
  std::unique_lock lock(s.mutex);
  give_back(s, lock);
}

}  // namespace nandscape
