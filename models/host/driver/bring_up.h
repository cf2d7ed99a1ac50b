// SPDX-License-Identifier: Apache-2.0
// Brings the NVMe controller up by the steps of a real driver: creates the admin queue, sets CC.EN, waits for CSTS.RDY,
// sends Identify, sets Number of Queues, grants the host memory buffer, and creates the I/O queues.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/calendar.h"
#include "host/driver/admin_queue.h"
#include "host/driver/driver_parameters.h"
#include "host/driver/host_buffer_grant.h"
#include "host/driver/queue_pair.h"
#include "protocol/priority_class.h"

namespace nandscape::host {

// The properties of the controller that its CAP register and its Identify data report.
struct ControllerFacts {
  std::uint32_t max_queue_entries = 0;
  std::uint32_t max_transfer_bytes = 0;
  std::uint64_t namespace_sectors = 0;
  bool weighted_arbitration = false;
  std::uint8_t arbitration_burst = 0;  // RAB: base-2 logarithm of the recommended burst
  // The fields of Identify that concern writes and power loss.
  std::uint8_t volatile_write_cache = 0;   // VWC
  std::uint16_t atomic_write = 0;          // AWUN, in sectors, 0's based
  std::uint16_t atomic_in_power_fail = 0;  // AWUPF, in sectors, 0's based
  std::uint8_t deallocated = 0;            // DLFEAT
  // HMPRE and HMMIN: the host memory buffer that the drive prefers, and the least that it can use, in units of 4 KiB.
  std::uint32_t preferred_buffer = 0;
  std::uint32_t minimum_buffer = 0;
  std::vector<nvme::PowerStateDescriptor> power_states;
};

class BringUp {
 public:
  // Called when the controller has been identified and has granted the number of I/O queues. Returns the I/O queues to
  // create, each with its priority, in the order of their queue identifiers.
  struct QueueToCreate {
    const QueuePair* pair;
    PriorityClass priority;
  };
  using MakeQueues = std::function<std::vector<QueueToCreate>(const ControllerFacts&)>;

  // `up` is called whenever the controller is ready and all queues exist.
  BringUp(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory, RegisterPort& registers,
          AdminQueue& admin, std::uint32_t io_queues, MakeQueues make_queues, std::function<void()> up);

  // Brings the controller up after power-on.
  void start();
  // Resets the controller and brings it up again. May be called at any time after start(). Commands in flight are lost.
  void restart();
  bool ready() const { return step_ == Step::ready; }
  const ControllerFacts& facts() const { return facts_; }
  void shut_down();

 private:
  enum class Step : std::uint8_t {
    off,
    wait_disabled,
    wait_ready,
    identify_controller,
    identify_namespace,
    number_of_queues,
    arbitration,
    host_memory_buffer,
    create_completion_queues,
    create_submission_queues,
    ready,
  };

  void begin_admin_queue();
  void begin(std::uint64_t capabilities);
  void poll_disabled(std::uint64_t number);
  void enable();
  void poll_ready(std::uint64_t number);
  void completed(const nvme::CompletionEntry& entry, std::span<const std::byte> data);
  void next(Step step);
  AdminQueue::Answer answer();
  void identify(nvme::IdentifyWhat what, std::uint32_t nsid);
  void set_feature(nvme::Feature feature, std::uint32_t value);
  std::uint32_t arbitration() const;
  void create_completion_queue();
  void create_submission_queue();
  void write64(std::uint32_t offset, std::uint64_t value);

  Calendar& calendar_;
  const DriverParameters parameters_;
  RegisterPort& registers_;
  AdminQueue& admin_;
  HostBufferGrant buffer_;
  const std::uint32_t io_queues_;
  MakeQueues make_queues_;
  std::function<void()> up_;
  Step step_ = Step::off;
  std::uint64_t polls_ = 0;  // number of the current series of polls; a poll with an older number does nothing
  ControllerFacts facts_;
  std::vector<QueueToCreate> queues_;
  std::size_t created_ = 0;
};

}  // namespace nandscape::host
