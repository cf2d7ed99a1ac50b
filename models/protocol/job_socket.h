// SPDX-License-Identifier: Apache-2.0
// Sockets that carry one kind of job. A job is a plain struct, which a mandatory extension attaches to the payload. The
// other fields of the payload are unused. So these sockets have a separate protocol type for each kind of job, and bind
// only to sockets of the same type. Phases and their exclusion rules are those of the TLM-2.0 base protocol. A job must
// exist until the last reference to its payload is released, which may be after END_RESP.
#pragma once

#include <memory>
#include <vector>

#include <tlm>

namespace nandscape {

template <class Job>
struct JobProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Job>
using JobForward = tlm::tlm_fw_transport_if<JobProtocol<Job>>;
template <class Job>
using JobBackward = tlm::tlm_bw_transport_if<JobProtocol<Job>>;
template <class Job>
using JobInitiatorSocket = tlm::tlm_initiator_socket<32, JobProtocol<Job>>;
template <class Job>
using JobTargetSocket = tlm::tlm_target_socket<32, JobProtocol<Job>>;

template <class Job>
struct JobExtension final : tlm::tlm_extension<JobExtension<Job>> {
  Job* job = nullptr;

  tlm::tlm_extension_base* clone() const override { return new JobExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const JobExtension&>(other); }
};

// Returns the job that a payload carries; it must carry one.
template <class Job>
Job& job_of(const tlm::tlm_generic_payload& payload) {
  return *payload.get_extension<JobExtension<Job>>()->job;
}

// A pool of payloads and their extensions. Payloads that have been released are reused.
template <class Job>
class JobPayloadPool final : public tlm::tlm_mm_interface {
 public:
  // Returns a payload that carries `job`. The caller owns one reference; the payload returns to the pool when the last
  // reference is released.
  [[gnu::noinline]] tlm::tlm_generic_payload& acquire(Job& job) {
    if (free_.empty()) grow();
    Entry& entry = *free_.back();
    free_.pop_back();
    entry.extension.job = &job;
    entry.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    entry.acquire();
    return entry;
  }

  // Called when the last reference to a payload is released. The cast is safe, because only an Entry has this pool as
  // its memory manager.
  void free(tlm::tlm_generic_payload* payload) override { free_.push_back(static_cast<Entry*>(payload)); }

 private:
  struct Entry final : tlm::tlm_generic_payload {
    explicit Entry(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) {
      set_extension(&extension);
      set_command(tlm::TLM_IGNORE_COMMAND);
    }
    ~Entry() override { clear_extension(&extension); }
    JobExtension<Job> extension;
  };

  void grow() {
    entries_.push_back(std::make_unique<Entry>(this));
    free_.push_back(entries_.back().get());
  }

  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Entry*> free_;
};

}  // namespace nandscape
