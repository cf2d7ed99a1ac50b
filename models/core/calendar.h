// SPDX-License-Identifier: Apache-2.0
// The event calendar: one per simulation, the only place where simulated time moves.
//
// Events of the near future lie in a wheel of slots of 2^17 ticks (131 ns); one slot at a time is sorted and run.
// Events beyond the wheel's 134 us wait in a heap and enter the wheel as it turns. Events at equal times are run in the
// order in which they were scheduled: slots are filled in that order and sorted stably, and the heap counts its
// arrivals. Nothing is allocated once the pools have grown to a run's size.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>
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

  // One that goes on where another has ended: at that time, after so many events.
  explicit Calendar(Tick start = 0, std::uint64_t events_run = 0) : now_(start), events_run_(events_run) {}

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

  // Calls (target.*Method)() at time `at`, which must not lie in the past.
  template <auto Method, class Target>
  requires std::is_invocable_v<decltype(Method), Target&>
  void schedule(Tick at, Target& target) {
    schedule_action(
        at, [](void* t, std::uint64_t) { (static_cast<Target*>(t)->*Method)(); }, &target, 0);
  }

  // Likewise with a number.
  template <auto Method, class Target>
  requires std::is_invocable_v<decltype(Method), Target&, std::uint64_t>
  void schedule(Tick at, Target& target, std::uint64_t argument = 0) {
    schedule_action(
        at, [](void* t, std::uint64_t a) { (static_cast<Target*>(t)->*Method)(a); }, &target, argument);
  }

  // Likewise with an object, which must be there until then.
  template <auto Method, class Target, class Object>
  requires std::is_class_v<Object>
  void schedule(Tick at, Target& target, Object& object) {
    schedule_action(
        at,
        [](void* t, std::uint64_t a) {
          (static_cast<Target*>(t)->*Method)(*reinterpret_cast<Object*>(static_cast<std::uintptr_t>(a)));
        },
        &target, reinterpret_cast<std::uintptr_t>(&object));
  }

  void schedule_action(Tick at, Action action, void* target, std::uint64_t argument) {
    assert(at >= now_);
    ++pending_;
    const std::uint64_t slot = at >> slot_bits;
    if (slot - (current_slot_ + 1) < slots) {
      put_into_wheel(slot, {at, action, target, argument});
    } else if (slot <= current_slot_) {
      put_into_current({at, action, target, argument});
    } else {
      put_beyond({at, action, target, argument});
    }
    if (!running_ && driver_ != nullptr) driver_->wake(at);
  }

  // Time of the next event, or `never`.
  Tick next_time() {
    if (pending_ == 0) return never;
    if (head_ == current_.size()) turn_to_next_slot();
    return current_[head_].at;
  }

  // Runs every event up to and including `limit`, in order. Stops early, with events left, once stop() was called.
  void run_until(Tick limit) {
    const Running running(*this);
    stop_ = false;
    while (!stop_ && next_time() <= limit && pending_ != 0) {
      const Event event = current_[head_++];
      now_ = event.at;
      --pending_;
      ++events_run_;
      event.action(event.target, event.argument);
    }
  }

  // Work has gone to somebody outside, a thread of a foreign module for instance, and has come back as an event. Who
  // drives the calendar does not take it for idle in between.
  void expect() { ++expected_; }
  void came() { --expected_; }
  bool expecting() const { return expected_ != 0; }

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

  static constexpr unsigned slot_bits = 17;
  static constexpr std::uint64_t slots = 1024;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // The events of a slot, in the order in which they were scheduled, linked through nodes_.
  struct Slot {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };
  struct Node {
    Event event;
    std::uint32_t next;
  };
  struct Beyond {
    Event event;
    std::uint64_t order;
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

  void put_into_wheel(std::uint64_t number, const Event& event) {
    std::uint32_t node = free_node_;
    if (node == none) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_node_ = nodes_[node].next;
    }
    nodes_[node] = {event, none};
    const std::uint64_t index = number % slots;
    Slot& slot = wheel_[index];
    (slot.first == none ? slot.first : nodes_[slot.last].next) = node;
    slot.last = node;
    occupied_[index / 64] |= std::uint64_t{1} << (index % 64);
  }

  void put_into_current(const Event& event);
  void put_beyond(const Event& event);
  void turn_to_next_slot();
  void sort_current();
  std::uint64_t next_occupied_slot() const;
  void let_in();

  // The slot being run, sorted by time and read from head_ on. Also takes whatever is scheduled before its end.
  std::vector<Event> current_;
  std::size_t head_ = 0;
  std::uint64_t current_slot_ = 0;

  std::array<Slot, slots> wheel_;  // slots current_slot_ + 1 .. current_slot_ + 1024
  std::array<std::uint64_t, slots / 64> occupied_{};
  std::vector<Node> nodes_;
  std::uint32_t free_node_ = none;

  std::vector<Beyond> beyond_;  // a heap, earliest first
  std::uint64_t beyond_order_ = 0;

  Tick now_;
  Tick kernel_time_ = 0;
  std::size_t pending_ = 0;
  std::size_t expected_ = 0;
  std::uint64_t events_run_;
  Driver* driver_ = nullptr;
  bool running_ = false;
  bool stop_ = false;
};

}  // namespace nandscape
