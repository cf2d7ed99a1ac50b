// SPDX-License-Identifier: Apache-2.0
// Issues requests on one queue pair. A request becomes one command, or several commands if it exceeds the limit of one
// command. It finishes when all its commands have completed. Requests that find no free command identifier wait in the
// order of their arrival.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/calendar.h"
#include "core/ring.h"
#include "host/driver/command_observer.h"
#include "host/driver/driver_parameters.h"
#include "host/driver/queue_pair.h"
#include "host/workloads/workload.h"
#include "protocol/command_times.h"
#include "protocol/storage.h"

namespace nandscape::host {

// A request that the driver works on. If `data` is null, no data are copied.
struct alignas(64) DriverRequest {
  HostRequest request;
  Tick start = 0;
  std::byte* data = nullptr;
  std::uint64_t issued_sectors = 0;
  std::uint32_t commands = 0;                   // commands under way
  bool begun = false;                           // begun and not finished
  nvme::Status status = nvme::Status::success;  // the first error of its commands
  // The time sheet of the last command, set when the request finishes; null if there is none.
  const TimeSheet* times = nullptr;
  std::uint32_t number = 0;            // among the requests of its queue; does not change
  DriverRequest* next_free = nullptr;  // the next request that is not in use

  // Returns whether all commands of the request have been issued. A flush has no sectors and needs one command.
  bool all_issued() const { return issued_sectors >= request.sectors; }
  // Prepares the object for its next use.
  void reset() {
    request = {};
    data = nullptr;
    issued_sectors = 0;
    commands = 0;
    begun = false;
    status = nvme::Status::success;
    times = nullptr;
  }
};

class RequestSink {
 public:
  // Called when the driver has handled the last completion of the request, which takes it until `now`. `request` is
  // valid until the call returns.
  virtual void finished(const DriverRequest& request, Tick now) = 0;

 protected:
  ~RequestSink() = default;
};

class RequestQueue {
 public:
  // `max_transfer_bytes` is the largest number of bytes that one command may read or write.
  RequestQueue(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory, RegisterPort& registers,
               const QueuePair::Layout& layout, std::uint32_t max_transfer_bytes, RequestSink& sink);

  QueuePair& pair() { return pair_; }
  // Sets the observer that is notified when a command has ended; null for none.
  void observe(CommandObserver* observer) {
    observer_ = observer;
    watched_ = observer_ != nullptr || times_ != nullptr;
  }
  // Makes each command record its latency in a time sheet of `times`. Call before the first request.
  void keep_times(CommandTimes& times);

  // Call when the controller has created the queue. Issues the waiting requests; later requests are issued when they
  // begin.
  void open();
  // Call when the controller is reset. Finishes all requests that have begun, with `status`, and returns their number.
  // Requests that begin later, even during this call, wait for open().
  std::size_t close(nvme::Status status);

  // Returns a free request. The caller fills it in and then calls begin(), or returns it unused with give_back().
  DriverRequest& acquire() {
    if (free_ == nullptr) [[unlikely]]
      add_request();
    DriverRequest& request = *free_;
    free_ = request.next_free;
    request.reset();
    return request;
  }
  void give_back(DriverRequest& request) {
    request.next_free = free_;
    free_ = &request;
  }
  void begin(DriverRequest& request);

  // Handles the completions that have arrived. The sink may begin new requests during the call.
  void handle_completions();
  // Rings the doorbell for the commands that have been issued, as soon as the queue's processor has prepared them. Call
  // once after one or more calls of begin().
  void flush_doorbell() {
    if (processor_free_ > calendar_.now()) [[unlikely]] {
      calendar_.schedule<&RequestQueue::ring>(processor_free_, *this);
    } else {
      pair_.ring_submission();
    }
  }

 private:
  // The part of a request that one command accesses.
  struct Part {
    DriverRequest* request = nullptr;
    std::uint64_t first = 0;  // counted from the first sector of the request
    std::uint64_t sectors = 0;
    std::uint64_t number = 0;  // see protocol/command_number.h; set only by finish_part()
    Tick sent = 0;             // set only by finish_part()
  };

  [[gnu::noinline]] void add_request();
  // Issues commands of the request until all are issued or no command identifier is free. Returns whether all are
  // issued.
  bool issue(DriverRequest& request);
  void issue_waiting();
  void issue_or_wait(DriverRequest& request);
  // Returns whether the request needs one command, for which the queue pair is prepared, and which can be issued now.
  bool ready_for(const DriverRequest& request) const {
    return waiting_.empty() && open_ && pair_.has_room() &&
           request.request.sectors <= most_sectors_[static_cast<std::size_t>(request.request.kind)] &&
           request.request.sectors * sector_bytes <= pair_.prepared_bytes();
  }
  // Issues a command for the next sectors of the request, except for the work of finish_part(). The command's buffer
  // must be prepared. Returns the command's entry.
  nvme::SubmissionEntry& issue_part(DriverRequest& request, std::uint64_t sectors);
  // Returns whether finish_part() must be called for each command of the request.
  bool needs_more(const DriverRequest& request) const {
    return request.request.kind > RequestKind::write || request.data != nullptr || watched_;
  }
  // Fills in the entry of a command other than Read and Write, copies the data of a write to the command's buffer, and
  // sets the fields for the observers.
  void finish_part(nvme::SubmissionEntry& entry);
  // Fills in the submission entry of a command other than Read and Write.
  void fill_in(nvme::SubmissionEntry& entry, RequestKind kind, std::uint64_t first, std::uint64_t sectors);
  void finish(DriverRequest& request, Tick now);
  void part_ended(const nvme::CompletionEntry& entry, Tick now);
  // Copies the data of a read to the host, and tells the observers that the command has ended.
  [[gnu::noinline]] void pass_on(const Part& part, const nvme::CompletionEntry& entry, Tick now);
  void tell(const Part& part, nvme::Status status, Tick now) const;
  const TimeSheet* end_times(std::uint16_t command_id, Tick now);
  void ring(std::uint64_t) { pair_.ring_submission(); }
  // Occupies the queue's processor for `time`, beginning when the processor is free. Returns the time at which this
  // work ends.
  Tick spend(Tick time);

  Calendar& calendar_;
  HostMemory& memory_;
  QueuePair pair_;
  RequestSink& sink_;
  CommandObserver* observer_ = nullptr;
  const Tick submit_time_;
  const Tick completion_time_;
  std::array<std::uint64_t, request_kinds> most_sectors_;  // largest number in one command, by kind of request
  bool open_ = false;
  Tick processor_free_ = 0;
  std::deque<DriverRequest> requests_;
  DriverRequest* free_ = nullptr;  // the first of a list
  Ring<DriverRequest*> waiting_;   // requests with commands still to issue
  std::vector<Part> parts_;        // by command identifier
  CommandTimes* times_ = nullptr;
  bool watched_ = false;  // there is an observer, or commands record their times
};

}  // namespace nandscape::host
