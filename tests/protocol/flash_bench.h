// SPDX-License-Identifier: Apache-2.0
// A test bench with a real controller and flash back end, and protocol checkers in all links of the back end. The test
// takes the place of the front end, and submits accesses directly to the controller.
#pragma once

#include <deque>
#include <functional>

#include "core/calendar.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "platform/wiring/ssd.h"

namespace nandscape {

class FlashBench : private StorageClient {
 public:
  // An access, and the times at which it was submitted and completed.
  struct Request {
    PageAccess access;
    Tick submitted = never;
    Tick completed = never;

    Tick latency() const { return completed - submitted; }
  };

  explicit FlashBench(const FlashDeviceParameters& parameters, bool keep_data = false, Tick quantum = millisecond,
                      const std::string& cells = "ideal", bool check_protocol = true,
                      controller::StartUp start_up = controller::StartUp::as_preconditioned)
      : parameters_(with_simulation(parameters, keep_data, cells, check_protocol)),
        driver_("calendar", calendar, quantum),
        device({}, {parameters_, calendar, start_up}) {
    device.storage().set_client(*this);
  }

  virtual ~FlashBench() = default;

  // Submits an access to one whole page, or a trim of `pages` pages, at `time`.
  Request& at(Tick time, AccessKind kind, Lpn lpn, std::uint64_t pages = 1) {
    PageAccess access;
    access.kind = kind;
    access.lpn = lpn;
    access.page_count = pages;
    access.sector_count = static_cast<std::uint16_t>(device.ftl().page_bytes() / sector_bytes);
    return at(time, access);
  }
  Request& at(Tick time, const PageAccess& access) {
    Request& request = requests_.emplace_back(Request{access});
    request.access.owner = reinterpret_cast<std::uint64_t>(&request);
    submit_at(time, request);
    return request;
  }
  // Submits a request at the current time. It may be a request that has completed, unchanged or with a changed access.
  void submit_now(Request& request) { submit(request); }

  void submit_at(Tick time, Request& request) { calendar.schedule<&FlashBench::submit>(time, *this, request); }

  // Runs until no events are left, `limit` is reached, or an event calls calendar.stop().
  void run(Tick limit = never) {
    driver_.run(limit);
    driver_.rethrow();
  }

  // Returns whether the device has finished all work: no event is scheduled, and no access or transaction is
  // outstanding.
  bool idle() const { return calendar.empty() && device.ftl().idle() && device.back_end().outstanding().empty(); }

  // Saves or restores the state that survives a loss of power. The counters are not included.
  void persist_media(Archive& archive) {
    device.ftl().persist_lasting(archive);
    device.back_end().persist_dies(archive, calendar.now());
  }

  // Called for each completed access.
  std::function<void(Request&)> on_completed = [](Request&) {};

 private:
  static PlatformParameters with_simulation(const FlashDeviceParameters& parameters, bool keep_data,
                                            const std::string& cells, bool check_protocol) {
    PlatformParameters all{parameters, {}, {}};
    all.simulation.data = keep_data ? DataFidelity::stored : DataFidelity::none;
    all.simulation.cells = {cells, nullptr};
    all.simulation.check_protocol = check_protocol;
    return all;
  }

  Kernel kernel_;

 public:
  Calendar calendar;

 private:
  const PlatformParameters parameters_;
  CalendarModule driver_;

 public:
  Ssd device;

 private:
  void submit(Request& request) {
    request.submitted = calendar.now();
    request.completed = never;
    device.storage().submit(request.access, calendar.now());
  }

  void completed(PageAccess& access, Tick now) override {
    Request& request = *reinterpret_cast<Request*>(access.owner);
    request.completed = now;
    on_completed(request);
  }

  std::deque<Request> requests_;
};

}  // namespace nandscape
