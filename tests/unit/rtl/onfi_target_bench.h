// SPDX-License-Identifier: Apache-2.0
// A test bench with an ONFI target, without SystemC. The test schedules the changes of the host's pins, and answers
// commands in place of the die.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "rtl/onfi/target_bus.h"

namespace nandscape::rtl::onfi {

class TargetBench final : public LogicalUnit::Die, public TargetBus::Outputs {
 public:
  static constexpr Tick ns = nanosecond;

  // --- scheduling; play() plays the schedule
  void at(Tick time, std::function<void(HostPins&)> change) { drawn_[time].push_back(std::move(change)); }
  void call_at(Tick time, std::function<void()> call) { calls_[time].push_back(std::move(call)); }

  // Schedules a slow SDR cycle at `start`. Returns a time at which it has ended for certain.
  Tick latch(Tick start, bool cle, bool ale, std::uint8_t byte) {
    at(start, [=](HostPins& p) {
      p.cle = cle;
      p.ale = ale;
      p.dq = byte;
      p.we_n = false;
    });
    at(start + 300 * ns, [](HostPins& p) { p.we_n = true; });
    at(start + 600 * ns, [](HostPins& p) { p.cle = p.ale = false; });
    return start + 1200 * ns;
  }
  Tick command(Tick start, std::uint8_t code) { return latch(start, true, false, code); }
  Tick address(Tick start, std::vector<std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) start = latch(start, false, true, byte);
    return start;
  }
  Tick data_in(Tick start, std::vector<std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) start = latch(start, false, false, byte);
    return start;
  }
  Tick data_out(Tick start, std::size_t bytes) {
    for (std::size_t k = 0; k < bytes; ++k) {
      at(start, [](HostPins& p) { p.re_n = false; });
      at(start + 300 * ns, [](HostPins& p) { p.re_n = true; });
      call_at(start + 300 * ns, [this] { out.push_back(driven.dq); });
      start += 600 * ns;
    }
    return start + 600 * ns;
  }
  Tick select(Tick start, bool selected = true) {
    at(start, [=](HostPins& p) { p.ce_n = !selected; });
    return start + 1200 * ns;
  }

  // Runs all scheduled events in the order of their times: outputs of the target, changes of the host's pins, and
  // calls.
  void play() {
    while (!drawn_.empty() || !calls_.empty() || !drives_.empty() || !wakes_.empty()) {
      const Tick next = std::min({first(drawn_), first(calls_), first(drives_), first(wakes_)});
      now = next;
      for (const TargetPins& pins : take(drives_, next)) driven = bus.selected() ? pins : TargetPins{};
      if (const auto changes = take(drawn_, next); !changes.empty()) {
        for (const auto& change : changes) change(pins_);
        bus.pins_moved(pins_, now);
        ready_moved();
      }
      for (const bool release : take(wakes_, next)) {
        if (release) {
          bus.release(now);
        } else {
          unit.woken(now);
        }
        ready_moved();
      }
      for (const auto& call : take(calls_, next)) call();
    }
  }

  // Makes the die answer a command that it has received.
  void answer(NandCommand& command) {
    unit.response_begins(command, now);
    ready_moved();
  }

  std::vector<std::string> violated() const {
    std::vector<std::string> parameters;
    for (const Violation& violation : violations.list()) parameters.push_back(violation.parameter);
    return parameters;
  }

  Tick now = 0;
  const Geometry geometry{
      .planes_per_die = 2, .blocks_per_plane = 5, .pages_per_block = 12, .page_bytes = 512, .spare_bytes = 32};
  std::vector<NandCommand*> sent;
  std::vector<std::uint8_t> out;  // bytes that data_out() has read
  TargetPins driven;
  Violations violations{"target", OnViolation::record};
  LogicalUnit unit{geometry, 7, violations, *this};
  TargetBus bus{unit, violations, *this};

 private:
  template <class Map>
  static Tick first(const Map& map) {
    return map.empty() ? never : map.begin()->first;
  }
  template <class What>
  static std::vector<What> take(std::map<Tick, std::vector<What>>& map, Tick at) {
    if (first(map) != at) return {};
    return std::move(map.extract(map.begin()).mapped());
  }
  void ready_moved() {
    if (unit.ready() && !was_ready_) bus.became_ready(now);
    was_ready_ = unit.ready();
  }

  void begin_request(NandCommand& command) override {
    sent.push_back(&command);
    unit.request_ended(command, now);
  }
  void end_response(NandCommand& command) override { unit.job_over(command); }
  void wake(Tick at) override { wakes_[at].push_back(false); }
  void drive(Tick at, const TargetPins& pins) override { drives_[at].push_back(pins); }
  void release_at(Tick at) override { wakes_[at].push_back(true); }

  std::map<Tick, std::vector<std::function<void(HostPins&)>>> drawn_;
  std::map<Tick, std::vector<std::function<void()>>> calls_;
  std::map<Tick, std::vector<TargetPins>> drives_;
  std::map<Tick, std::vector<bool>> wakes_;
  HostPins pins_;
  bool was_ready_ = true;
};

}  // namespace nandscape::rtl::onfi
