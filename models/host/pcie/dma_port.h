// SPDX-License-Identifier: Apache-2.0
// The access of a device to host memory. DmaPort is implemented by the link and called by the device. DmaClient is
// implemented by the device and called when a transfer has ended. The device attaches a tag to each transfer, which
// names the object that the transfer serves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nandscape::host {

// The kind of interrupt that a transfer carries. A `message` is a write; asserting and deasserting the line are not.
enum class DmaInterrupt : std::uint8_t { none, message, line_asserted, line_deasserted };

// The purpose of a transfer, and the pool index of the object that the transfer serves. The purposes from `reset` on
// serve neither a command nor its data.
struct DmaTag {
  enum class Purpose : std::uint32_t {
    none,
    submission_entries,
    prp_list,
    command_data,
    access_data,
    reset,
    host_buffer_list,
    host_buffer
  };

  Purpose purpose = Purpose::none;
  std::uint32_t index = 0;
};

// A message-signalled interrupt: the data, and the address to which they are written.
struct DmaMessage {
  std::uint64_t address = 0;
  std::uint32_t data = 0;
};

class DmaPort {
 public:
  // Begins a read of host memory. Reads are carried out in order, and writes are carried out in order. If the buffer is
  // null, the transfer moves no bytes but takes the same time. The buffer must stay valid until the client is notified
  // that the transfer has ended.
  virtual void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) = 0;
  // Begins a posted write. If `more_follow`, the device starts another write at once, and the host reads neither of the
  // two before both have arrived.
  virtual void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag,
                     bool more_follow) = 0;
  // Begins a posted write of `from`, which is copied. The client is not notified when the write has ended.
  using InlineBytes = std::array<std::byte, 16>;
  virtual void write_inline(std::uint64_t address, InlineBytes from) = 0;
  // Sends a message-signalled interrupt, which is a posted write of 4 bytes.
  virtual void send_message(DmaMessage message) = 0;
  // Does the same as write_inline() followed by send_message(). The host reads neither before both have arrived.
  virtual void write_and_interrupt(std::uint64_t address, InlineBytes from, DmaMessage message) = 0;
  // Asserts or deasserts INTx by a message, which does not overtake earlier writes.
  virtual void set_interrupt_line(bool asserted) = 0;

 protected:
  ~DmaPort() = default;
};

class DmaClient {
 public:
  // Called when the bytes of a read have arrived. `ok` is false if the host has no memory at the address.
  virtual void read_ended(DmaTag tag, bool ok) = 0;
  // Called when a posted write has ended. The device may then reuse its buffer.
  virtual void write_ended(DmaTag tag) = 0;

 protected:
  ~DmaClient() = default;
};

}  // namespace nandscape::host
