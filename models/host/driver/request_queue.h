// SPDX-License-Identifier: Apache-2.0
// Requests on one queue pair: each becomes one command, or several where it exceeds what a command can hold, and is
// finished when all of them are. Requests that find no free command wait in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/calendar.h"
#include "core/ring.h"
#include "host/driver/driver_parameters.h"
#include "host/driver/queue_pair.h"
#include "host/workloads/workload.h"
#include "protocol/command_times.h"

namespace nandscape::host {

// A request being worked on. `data` may be null: nothing is copied then.
struct DriverRequest {
  HostRequest request;
  Tick start = 0;
  std::byte* data = nullptr;
  std::uint64_t issued_sectors = 0;
  std::uint32_t commands = 0;  // under way
  bool all_issued = false;
  bool begun = false;                           // and not finished
  nvme::Status status = nvme::Status::success;  // the first error of its commands
  const TimeSheet* times = nullptr;             // once finished: of its command that has ended last, if that was kept
};

class RequestSink {
 public:
  // The request is finished, seen at `now`. It stays where it is until this returns, unless the sink begins another.
  virtual void finished(std::uint32_t number, const DriverRequest& request, Tick now) = 0;

 protected:
  ~RequestSink() = default;
};

class RequestQueue {
 public:
  // `max_transfer_bytes`: what one command may read or write.
  RequestQueue(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory, RegisterPort& registers,
               const QueuePair::Layout& layout, std::uint32_t max_transfer_bytes, RequestSink& sink);

  QueuePair& pair() { return pair_; }
  // Before the first request: sheets of its commands are opened there.
  void keep_times(CommandTimes& times);

  // The controller has created the queue: from now on requests are issued, those that have waited first.
  void open();
  // The controller is being reset: requests wait for open() again, and those that were begun finish with `status`.
  // Returns how many those were; what finishes may have begun others.
  std::size_t close(nvme::Status status);

  // A place for a request; fill it in, then begin() it.
  std::uint32_t acquire();
  DriverRequest& operator[](std::uint32_t number) { return requests_[number]; }
  void begin(std::uint32_t number);

  // Handles the completions that have arrived; `sink` may begin new requests meanwhile.
  void handle_completions();
  // Rings the doorbell for what was begun; call once after one or more begin().
  void flush_doorbell();

 private:
  struct Part {
    std::uint32_t request = 0;
    std::uint64_t offset = 0;  // within the request's data, bytes
    std::uint32_t bytes = 0;   // of data
  };

  void issue_while_room();
  void issue_part(std::uint32_t number);
  void finish(std::uint32_t number, Tick now);
  void part_ended(const nvme::CompletionEntry& entry, Tick now);
  const TimeSheet* end_times(std::uint16_t command_id, Tick now);
  std::uint64_t sectors_per_command(RequestKind kind) const;
  void ring(std::uint64_t) { pair_.ring_submission(); }
  // The queue's processor spends that time, from now on or after what it is doing.
  Tick spend(Tick time);

  Calendar& calendar_;
  HostMemory& memory_;
  QueuePair pair_;
  RequestSink& sink_;
  const Tick submit_time_;
  const Tick completion_time_;
  const std::uint32_t max_transfer_bytes_;
  bool open_ = false;
  Tick processor_free_ = 0;
  std::vector<DriverRequest> requests_;
  std::vector<std::uint32_t> free_requests_;
  Ring<std::uint32_t> waiting_;  // requests with commands still to issue
  std::vector<Part> parts_;      // by command identifier
  CommandTimes* times_ = nullptr;
};

}  // namespace nandscape::host
