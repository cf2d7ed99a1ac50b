// SPDX-License-Identifier: Apache-2.0
// Issues requests on one queue pair. A request becomes one command, or several if it exceeds the limit of one command,
// and finishes when all its commands have. Requests that find no free command identifier wait in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/calendar.h"
#include "core/ring.h"
#include "host/driver/command_observer.h"
#include "host/driver/driver_parameters.h"
#include "host/driver/queue_pair.h"
#include "host/workloads/workload.h"
#include "protocol/command_times.h"

namespace nandscape::host {

// A request under way. If `data` is null, no data are copied.
struct DriverRequest {
  HostRequest request;
  Tick start = 0;
  std::byte* data = nullptr;
  std::uint64_t issued_sectors = 0;
  std::uint32_t commands = 0;                   // commands under way
  bool begun = false;                           // begun and not finished
  nvme::Status status = nvme::Status::success;  // the first error of its commands
  const TimeSheet* times = nullptr;             // once finished: the last command's time sheet; null if none was kept

  // Whether every command is issued; a flush, which has no sectors, has one command.
  bool all_issued() const { return issued_sectors >= request.sectors; }
};

class RequestSink {
 public:
  // Called when the driver has noticed, at `now`, that the request has finished. `request` is valid until the call
  // returns or the sink acquires another request.
  virtual void finished(std::uint32_t number, const DriverRequest& request, Tick now) = 0;

 protected:
  ~RequestSink() = default;
};

class RequestQueue {
 public:
  // `max_transfer_bytes`: the most that one command may read or write.
  RequestQueue(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory, RegisterPort& registers,
               const QueuePair::Layout& layout, std::uint32_t max_transfer_bytes, RequestSink& sink);

  QueuePair& pair() { return pair_; }
  // Sets the observer of the commands; null for none.
  void observe(CommandObserver* observer) { observer_ = observer; }
  // Call before the first request. Each command opens a time sheet in `times`.
  void keep_times(CommandTimes& times);

  // Call once the controller has created the queue. Requests are issued from now on, waiting requests first.
  void open();
  // Call when the controller is reset. All begun requests finish with `status`; later requests wait for open(). Returns
  // the number of requests that have finished. Their sink may have begun new requests meanwhile.
  std::size_t close(nvme::Status status);

  // Returns the number of a free request; fill it in, then begin() it or give_back() it.
  std::uint32_t acquire() {
    if (free_requests_.empty()) [[unlikely]]
      add_request();
    const std::uint32_t number = free_requests_.back();
    free_requests_.pop_back();
    requests_[number] = {};
    return number;
  }
  void give_back(std::uint32_t number) { free_requests_.push_back(number); }
  DriverRequest& operator[](std::uint32_t number) { return requests_[number]; }
  void begin(std::uint32_t number) {
    requests_[number].begun = true;
    if (waiting_.empty() && issue(number)) [[likely]]
      return;
    waiting_.push(number);
    issue_waiting();
  }

  // Handles the completions that have arrived; `sink` may begin new requests meanwhile.
  void handle_completions();
  // Rings the doorbell for the commands issued; call once after one or more begin().
  void flush_doorbell() {
    if (processor_free_ > calendar_.now()) [[unlikely]] {
      calendar_.schedule<&RequestQueue::ring>(processor_free_, *this);
    } else {
      pair_.ring_submission();
    }
  }

 private:
  // The sectors of a request that one command accesses.
  struct Part {
    std::uint32_t request = 0;
    std::uint64_t first = 0;  // counted from the first sector of the request
    std::uint64_t sectors = 0;
    std::uint64_t number = 0;  // command_number.h
    Tick sent = 0;
  };

  [[gnu::noinline]] void add_request();
  // Issues commands of the request while there is room for them. Returns whether all are issued.
  bool issue(std::uint32_t number);
  void issue_waiting();
  void issue_part(std::uint32_t number);
  // Fills in the entry of a command that neither reads nor writes.
  void fill_in(nvme::SubmissionEntry& entry, RequestKind kind, std::uint64_t first, std::uint64_t sectors);
  void finish(std::uint32_t number, Tick now);
  void part_ended(const nvme::CompletionEntry& entry, Tick now);
  void tell(const Part& part, nvme::Status status, Tick now) const;
  const TimeSheet* end_times(std::uint16_t command_id, Tick now);
  void ring(std::uint64_t) { pair_.ring_submission(); }
  // Occupies the queue's processor for `time`, as soon as the processor is free. Returns the tick at which that ends.
  Tick spend(Tick time);

  Calendar& calendar_;
  HostMemory& memory_;
  QueuePair pair_;
  RequestSink& sink_;
  CommandObserver* observer_ = nullptr;
  const Tick submit_time_;
  const Tick completion_time_;
  std::array<std::uint64_t, request_kinds> most_sectors_;  // of one command, by kind of request
  bool open_ = false;
  Tick processor_free_ = 0;
  std::vector<DriverRequest> requests_;
  std::vector<std::uint32_t> free_requests_;
  Ring<std::uint32_t> waiting_;  // requests with commands still to issue
  std::vector<Part> parts_;      // by command identifier
  CommandTimes* times_ = nullptr;
};

}  // namespace nandscape::host
