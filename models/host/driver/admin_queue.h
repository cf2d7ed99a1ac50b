// SPDX-License-Identifier: Apache-2.0
// Sends the driver's admin commands and calls back when a command completes. Each command has a data buffer of 4 KiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "host/driver/queue_pair.h"

namespace nandscape::host {

class AdminQueue {
 public:
  static constexpr std::uint32_t buffer_bytes = 4096;
  // Called when a command has completed. `entry` is its completion entry. `data` is the buffer of the command, which
  // contains the data that the controller has returned.
  using Answer = std::function<void(const nvme::CompletionEntry& entry, std::span<const std::byte> data)>;

  AdminQueue(HostMemory& memory, RegisterPort& registers) : memory_(memory), registers_(registers) {}

  // Empties the queue, which the driver must do before it sets CC.EN. The callbacks of commands that are still in
  // flight are never called. The first call creates the queue pair with `entries` entries; later calls keep this size.
  void begin(std::uint32_t entries, std::uint32_t memory_page_bytes);
  const QueuePair& pair() const { return *pair_; }

  [[nodiscard]] bool has_room() const { return pair_->has_room(); }
  // Puts a command into the queue, with PRPs that cover the first `bytes` of its buffer. has_room() must hold. The
  // controller fetches the command after ring().
  void send(nvme::SubmissionEntry entry, std::uint32_t bytes, Answer answer);
  // Like send(), for a command whose data go to the controller.
  void send_data(nvme::SubmissionEntry entry, std::span<const std::byte> data, Answer answer);
  // Like send(), for a command whose PRP1 is `address` instead of its buffer.
  void send_pointing_to(std::uint64_t address, nvme::SubmissionEntry entry, Answer answer);
  void ring() { pair_->ring_submission(); }
  // Call when the interrupt of the admin queue has arrived. Calls the callbacks of the commands that have completed.
  void interrupt();

 private:
  // Takes a command identifier whose buffer is prepared for `bytes` bytes.
  std::uint16_t take_id(std::uint32_t bytes, Answer answer);

  HostMemory& memory_;
  RegisterPort& registers_;
  std::optional<QueuePair> pair_;
  std::vector<Answer> answers_;  // callbacks, indexed by command identifier
};

}  // namespace nandscape::host
