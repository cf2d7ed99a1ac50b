// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/event_loop.h"

#include <chrono>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/interruption.h"

namespace nandscape {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto progress_interval = std::chrono::milliseconds(100);
constexpr auto turn_interval = std::chrono::milliseconds(10);

}  // namespace

void EventLoop::bring_up() {
  cycles_.require_power();
  if (!cycles_.has_driver() || cycles_.driver().ready()) return;
  // The bring-up may already have been started by an earlier call that was interrupted.
  if (!std::exchange(coming_up_, true)) cycles_.driver().start([this] { traffic_.arrived(&coming_up_); });
  run_until_done([this] { return cycles_.driver().ready(); }, &coming_up_, "the NVMe controller did not become ready");
  coming_up_ = false;
}

void EventLoop::reset_controller() {
  bring_up();
  coming_up_ = true;
  cycles_.mark("controller reset");
  cycles_.driver().reset([this] { traffic_.arrived(&coming_up_); });
  bring_up();
}

void EventLoop::run_until_done(const std::function<bool()>& done, const void* awaited, const char* complaint) {
  if (!done()) run_events(never, {}, awaited);
  if (!done()) throw std::logic_error(complaint + ("\n" + cycles_.drive().waiting()));
}

bool EventLoop::run_events(Tick limit, const ProgressCallback& progress, const void* awaited) {
  const auto report = [&] {
    const Progress now_at = traffic_.progress();
    bool wanted = true;
    const Ownership::Callback callback(ownership_);
    KernelContext::outside([&] { wanted = progress(now_at); });
    return wanted;
  };
  bool wanted = true;
  CalendarModule::Watch watch;
  if (progress) {
    watch = [&, reported = Clock::now()]() mutable {
      const Clock::time_point wall = Clock::now();
      if (wall - reported < progress_interval) return true;
      reported = wall;
      return wanted = report();
    };
  }
  traffic_.await(awaited);
  run_watched(limit, std::move(watch));
  cycles_.finish_timeline();
  if (progress && wanted) report();
  return wanted;
}

void EventLoop::run_watched(Tick limit, CalendarModule::Watch watch) {
  if (stopped_midway_) {
    throw RequestError(
        "an error has stopped the drive in the middle of an event, and it cannot go on; make another "
        "Simulation");
  }
  const KernelContext::Scope scope(cycles_.context());
  const Clock::time_point begin = Clock::now();
  Clock::duration elsewhere{};  // wall time during which other simulations ran
  bool interrupted = false;
  CalendarModule& kernel = cycles_.machine().calendar();
  kernel.set_watch([&, turn_began = begin]() mutable {
    if (!still_wanted()) {
      interrupted = true;
      return false;
    }
    if (const Clock::time_point wall = Clock::now(); wall - turn_began > turn_interval) {
      KernelContext::give_way();
      turn_began = Clock::now();
      elsewhere += turn_began - wall;
    }
    return !watch || watch();
  });
  cycles_.machine().power().resume();
  kernel.run(limit);
  // If no event is left that could complete the open commands, the drive ends them with an error.
  while (!interrupted && !kernel.failed() && traffic_.under_way() && cycles_.calendar().empty() &&
         cycles_.drive().end_stall(now())) {
    cycles_.machine().power().resume();
    kernel.run(limit);
  }
  kernel.set_watch({});
  traffic_.await(nullptr);
  measurement_.add_wall_time(std::chrono::duration<double>(Clock::now() - begin - elsewhere).count());
  try {
    kernel.rethrow();
  } catch (const Error&) {
    throw;
  } catch (const std::logic_error&) {
    throw;
  } catch (...) {
    stopped_midway_ = true;
    throw;
  }
  traffic_.rethrow_raised();
  if (interrupted) throw Interrupted();
}

}  // namespace nandscape
