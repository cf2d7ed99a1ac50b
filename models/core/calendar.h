// SPDX-License-Identifier: Apache-2.0
// The event calendar: one per simulation, the only place where simulated time moves.
//
// A monotone radix heap [Ahuja, Mehlhorn, Orlin, Tarjan 1990]: bucket k holds the events whose time differs from the
// last one taken in bit k-1 at most. Events at equal times leave in the order in which they were scheduled: events of
// one time always share a bucket, and redistribution keeps their order. Nothing is allocated once the buckets have
// grown to a run's size.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "core/ticks.h"

namespace nandscape {

class Calendar {
 public:
  using Action = void (*)(void* target, std::uint64_t argument);

  // Told when an event is scheduled from outside of run_until(), so that whoever drives the calendar can come earlier.
  class Driver {
   public:
    virtual void wake(Tick at) = 0;

   protected:
    ~Driver() = default;
  };

  void set_driver(Driver* driver) { driver_ = driver; }

  // The time of the event being run, or of the latest advance().
  Tick now() const { return now_; }
  bool running() const { return running_; }
  // The kernel's own time while run_until() runs: the calendar may be ahead of it.
  Tick kernel_time() const { return kernel_time_; }
  void set_kernel_time(Tick time) { kernel_time_ = time; }
  bool empty() const { return pending_ == 0; }
  std::size_t pending() const { return pending_; }
  std::uint64_t events_run() const { return events_run_; }

  // Calls (target.*Method)(argument) at time `at`, which must not lie in the past.
  template <auto Method, class Target>
  void schedule(Tick at, Target& target, std::uint64_t argument = 0) {
    schedule_action(
        at, [](void* t, std::uint64_t a) { (static_cast<Target*>(t)->*Method)(a); }, &target, argument);
  }

  void schedule_action(Tick at, Action action, void* target, std::uint64_t argument) {
    assert(at >= now_);
    put(Event{at, action, target, argument});
    ++pending_;
    if (!running_ && driver_ != nullptr) driver_->wake(at);
  }

  // Time of the next event, or `never`.
  Tick next_time() const {
    if (pending_ == 0) return never;
    if (head_ < buckets_[0].size()) return last_;
    return earliest_of(buckets_[std::countr_zero(occupied_)]);
  }

  // Runs every event up to and including `limit`, in order. Stops early, with events left, once stop() was called.
  void run_until(Tick limit) {
    const Running running(*this);
    stop_ = false;
    while (!stop_ && pending_ != 0 && advance_to_next(limit)) {
      const Event event = buckets_[0][head_++];
      --pending_;
      ++events_run_;
      event.action(event.target, event.argument);
    }
  }

  // Ends run_until() after the event that is being run.
  void stop() { stop_ = true; }
  bool stopped() const { return stop_; }

  // Moves the clock without running anything; there must be no event before `at`.
  void advance(Tick at) {
    assert(at >= now_ && at <= next_time());
    now_ = at;
  }

 private:
  struct Event {
    Tick at;
    Action action;
    void* target;
    std::uint64_t argument;
  };

  // Holds for the length of run_until(), also when an event throws.
  class Running {
   public:
    explicit Running(Calendar& calendar) : calendar_(calendar) { calendar_.running_ = true; }
    ~Running() { calendar_.running_ = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    Calendar& calendar_;
  };

  void put(const Event& event) {
    const int bucket = std::bit_width(event.at ^ last_);
    buckets_[bucket].push_back(event);
    if (bucket != 0) occupied_ |= std::uint64_t{1} << bucket;
  }

  static Tick earliest_of(const std::vector<Event>& events) {
    Tick earliest = never;
    for (const Event& event : events) earliest = event.at < earliest ? event.at : earliest;
    return earliest;
  }

  // Makes bucket 0 hold the events of the next time and moves the clock there; false when that lies after `limit`.
  bool advance_to_next(Tick limit) {
    if (head_ < buckets_[0].size()) {
      if (last_ > limit) return false;
      now_ = last_;
      return true;
    }
    std::vector<Event>& source = buckets_[std::countr_zero(occupied_)];
    const Tick earliest = earliest_of(source);
    if (earliest > limit) return false;
    buckets_[0].clear();
    head_ = 0;
    occupied_ &= occupied_ - 1;
    last_ = earliest;
    now_ = earliest;
    if (source.size() == 1) {
      buckets_[0].push_back(source.front());
    } else {
      for (const Event& event : source) put(event);
    }
    source.clear();
    return true;
  }

  // Bucket 63 at most: ticks stay below 2^63. Bucket 0 is read from head_ on.
  std::array<std::vector<Event>, 64> buckets_;
  std::uint64_t occupied_ = 0;
  std::size_t head_ = 0;
  Tick last_ = 0;
  Tick now_ = 0;
  Tick kernel_time_ = 0;
  std::size_t pending_ = 0;
  std::uint64_t events_run_ = 0;
  Driver* driver_ = nullptr;
  bool running_ = false;
  bool stop_ = false;
};

}  // namespace nandscape
