// SPDX-License-Identifier: Apache-2.0
#include "core/work_team.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"

namespace nandscape {

namespace {

// Waits of a simulation at work are shorter than this. To block a thread and wake it takes about as long.
constexpr auto spinning_time = std::chrono::microseconds(50);

// Counts the forks between the first process and this one.
std::atomic<std::uint32_t> forks = 0;

std::uint32_t forks_until_now() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  static_cast<void>(registered);
  return forks;
}

// Lets a thread wait for a condition on atomic variables.
class Waiting {
 public:
  // Returns when `holds` returns true. Calls it again and again, and later only after each notify().
  template <class Condition>
  void wait(const Condition& holds) {
    const auto end = std::chrono::steady_clock::now() + spinning_time;
    do {
      if (holds()) return;
      std::this_thread::yield();
    } while (std::chrono::steady_clock::now() < end);
    std::unique_lock lock(mutex_);
    blocked_ = true;
    wake_up_.wait(lock, holds);
    blocked_ = false;
  }

  // Call this after each change that may have made the condition true. All accesses are sequentially consistent, so
  // either this function finds that the thread is blocked, or the thread finds the change.
  void notify() {
    if (!blocked_) return;
    { const std::scoped_lock lock(mutex_); }
    wake_up_.notify_one();
  }

 private:
  std::atomic<bool> blocked_ = false;
  std::mutex mutex_;
  std::condition_variable wake_up_;
};

}  // namespace

// The threads of workers 1 and up, and the task that they share with worker 0, which is the calling thread.
class WorkTeam::Threads {
 public:
  explicit Threads(std::size_t workers);
  ~Threads() { end(); }

  bool of_parent() const { return born_ != forks; }
  void divide(std::uint32_t count, Task task);

 private:
  struct alignas(64) Helper {
    Waiting for_work;
    std::thread thread;
  };
  // Pieces of the current task that no worker has claimed, with the number of all its pieces.
  struct Offer {
    std::uint32_t pieces = 0;
    std::uint32_t unclaimed = 0;

    bool concerns(std::size_t worker) const { return unclaimed > 0 && worker < pieces; }
    std::size_t next() const { return pieces - unclaimed; }
  };
  static_assert(std::atomic<Offer>::is_always_lock_free);

  void end();
  void serve(std::size_t worker);
  void work(std::size_t worker);
  void give_up(std::size_t index);

  const std::uint32_t born_;  // forks before the threads were created
  std::vector<Helper> helpers_;
  std::atomic<bool> ended_ = false;

  // A worker reads the task only after it has claimed one of its pieces. The task does not change before this piece is
  // done.
  Task task_;
  alignas(64) std::atomic<Offer> offer_;
  alignas(64) std::atomic<std::uint32_t> unfinished_ = 0;
  alignas(64) Waiting for_end_;

  std::mutex guard_;  // of the members below
  std::exception_ptr raised_;
  std::size_t raised_by_ = 0;
};

WorkTeam::Threads::Threads(std::size_t workers) : born_(forks_until_now()), helpers_(workers - 1) {
  std::size_t worker = 0;
  try {
    for (Helper& helper : helpers_) {
      ++worker;
      helper.thread = std::thread([this, worker] { serve(worker); });
    }
  } catch (const std::system_error& error) {
    end();
    throw Error("the system does not give this process " + std::to_string(workers) + " threads, only " +
                std::to_string(worker) + " (" + error.code().message() + "): set a smaller number of threads");
  }
}

void WorkTeam::Threads::end() {
  ended_ = true;
  for (Helper& helper : helpers_) {
    helper.for_work.notify();
    if (helper.thread.joinable()) helper.thread.join();
  }
}

void WorkTeam::Threads::serve(std::size_t worker) {
  for (;;) {
    helpers_[worker - 1].for_work.wait([&] { return ended_ || offer_.load().concerns(worker); });
    if (ended_) return;
    work(worker);
  }
}

// Claims pieces and does them until all are claimed.
void WorkTeam::Threads::work(std::size_t worker) {
  for (Offer offer = offer_; offer.concerns(worker);) {
    if (!offer_.compare_exchange_weak(offer, {offer.pieces, offer.unclaimed - 1})) continue;
    try {
      task_.call(task_.context, offer.next(), worker);
    } catch (...) {
      give_up(offer.next());
    }
    if (--unfinished_ == 0) for_end_.notify();
    offer = offer_;
  }
}

// Keeps the current exception of a piece and withdraws the pieces that are not claimed. All pieces before this one are
// claimed, so the exception with the lowest index is always found.
void WorkTeam::Threads::give_up(std::size_t index) {
  unfinished_ -= offer_.exchange({}).unclaimed;
  const std::scoped_lock lock(guard_);
  if (raised_ != nullptr && raised_by_ < index) return;
  raised_ = std::current_exception();
  raised_by_ = index;
}

void WorkTeam::Threads::divide(std::uint32_t count, Task task) {
  task_ = task;
  unfinished_ = count;
  offer_ = {count, count};
  for (std::size_t k = 0; k < helpers_.size() && k + 1 < count; ++k) helpers_[k].for_work.notify();
  work(0);
  for_end_.wait([&] { return unfinished_ == 0; });
  const std::scoped_lock lock(guard_);
  if (raised_ != nullptr) std::rethrow_exception(std::exchange(raised_, nullptr));
}

WorkTeam::WorkTeam(std::size_t workers) : workers_(workers) {
  if (workers == 0) throw std::invalid_argument("a team has at least one worker, the calling thread");
}

WorkTeam::~WorkTeam() { leave_threads_of_parent(); }

// After a fork, the object describes threads that this process does not have. It can neither end them nor release
// their memory.
void WorkTeam::leave_threads_of_parent() {
  if (threads_ != nullptr && threads_->of_parent()) static_cast<void>(threads_.release());
}

void WorkTeam::divide(std::size_t count, Task task) {
  if (count > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("a call has too many pieces");
  leave_threads_of_parent();
  if (threads_ == nullptr) threads_ = std::make_unique<Threads>(workers_);
  threads_->divide(static_cast<std::uint32_t>(count), task);
}

}  // namespace nandscape
