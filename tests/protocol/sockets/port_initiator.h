// SPDX-License-Identifier: Apache-2.0
// The reference initiator, with which tests compare external initiators. It runs in the calendar and sends jobs through
// a JobInitiatorPort, as the controller does.
#pragma once

#include <cstddef>
#include <ostream>
#include <systemc>
#include <vector>

#include "protocol/ecc_job.h"
#include "protocol/job_port.h"
#include "protocol/nand_command.h"

namespace nandscape {

// The times at which the phases of a job occur at its initiator.
struct Passage {
  Tick request_ended = never;
  Tick response_began = never;
  Tick over = never;
  bool operator==(const Passage&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Passage& p) {
    return out << p.request_ended << ' ' << p.response_began << ' ' << p.over;
  }
};

// The pause before each job or batch of jobs. Without a pause, the payload of a job is reused immediately.
inline constexpr Tick some_time = 50 * microsecond + 7;

// Returns the time that the initiator needs for the response.
inline Tick response_time(const NandCommand& command) { return command.response_time; }
inline Tick response_time(const EccJob&) { return 0; }
// Returns whether the protocol requires the initiator to end the response within the call that begins the response.
inline bool ends_in_the_call(const NandCommand& command) { return completed_in_the_call(command); }
inline bool ends_in_the_call(const EccJob&) { return true; }

template <class Job>
class PortInitiator final : public sc_core::sc_module {
  using Payload = tlm::tlm_generic_payload;

 public:
  // Sends the jobs in batches. Within a batch, each job begins as soon as the request of the previous job has ended.
  // The next batch begins when all jobs of the previous batch have ended.
  PortInitiator(const sc_core::sc_module_name& name, Calendar& calendar, std::vector<Job>& jobs, std::size_t batch = 1,
                Tick pause = some_time)
      : sc_module(name),
        passages(jobs.size()),
        calendar_(calendar),
        jobs_(jobs),
        batch_(batch),
        pause_(pause),
        port_("socket", calendar, *this) {
    calendar.schedule<&PortInitiator::begin_batch>(calendar.now() + pause, *this);
  }

  JobInitiatorSocket<Job>& socket() { return port_.socket; }

  std::vector<Passage> passages;  // one entry per job

 private:
  friend class JobInitiatorPort<Job, PortInitiator>;

  void begin_batch() {
    open_ = batch_;
    begin();
  }
  void begin() {
    Job& job = jobs_[begun_++];
    job.payload = &pool_.acquire(job);
    port_.begin_request(job);
  }

  // Callbacks of the port.
  void request_ended(Job& job, Tick now) {
    passage_of(job).request_ended = now;
    if (begun_ % batch_ != 0) begin();
  }
  bool response_begins(Job& job, Tick now) {
    passage_of(job).response_began = now;
    if (ends_in_the_call(job)) return true;
    calendar_.schedule<&PortInitiator::end_response>(now + response_time(job), *this, job);
    return false;
  }
  void job_over(Payload& payload) {
    // Direct calls leave the payload as it is.
    if (direct_end<JobTargetEnd<Job>>(port_.socket, calendar_) == nullptr) {
      CHECK(payload.get_response_status() == tlm::TLM_OK_RESPONSE);
    }
    Job& job = job_of<Job>(payload);
    // A command that was completed within the call still occupies the die for its response time.
    passage_of(job).over = passage_of(job).response_began + response_time(job);
    payload.release();
    if (--open_ != 0 || begun_ == jobs_.size()) return;
    calendar_.schedule<&PortInitiator::begin_batch>(passage_of(job).over + pause_, *this);
  }

  void end_response(Job& job) { port_.end_response(job); }

  std::size_t number_of(const Job& job) const { return static_cast<std::size_t>(&job - jobs_.data()); }
  Passage& passage_of(const Job& job) { return passages[number_of(job)]; }

  Calendar& calendar_;
  std::vector<Job>& jobs_;
  const std::size_t batch_;
  const Tick pause_;
  JobInitiatorPort<Job, PortInitiator> port_;
  JobPayloadPool<Job> pool_;
  std::size_t begun_ = 0;
  std::size_t open_ = 0;
};

}  // namespace nandscape
