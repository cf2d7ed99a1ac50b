// SPDX-License-Identifier: Apache-2.0
// A device's access to host memory. DmaPort is the link's side, DmaClient the device's. The device's tag on each
// transfer names the object that the transfer serves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nandscape::host {

// The interrupt that a transfer is. A `message` is a write, the two events of the line are not.
enum class DmaInterrupt : std::uint8_t { none, message, line_asserted, line_deasserted };

// The purpose of a transfer, and the index of the object that it serves in the object's pool.
struct DmaTag {
  enum class Purpose : std::uint32_t { none, submission_entries, prp_list, command_data, access_data, reset };

  Purpose purpose = Purpose::none;
  std::uint32_t index = 0;
};

class DmaPort {
 public:
  // Reads are carried out in order, and so are writes. A null buffer moves no bytes but takes the same time. A buffer
  // must stay valid until the client is notified that the transfer has ended.
  virtual void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) = 0;
  // A posted write. `more_follow`: another write follows at once, and the host reads neither before both have arrived.
  virtual void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag,
                     bool more_follow) = 0;
  // The same for the first `bytes` of `from`, which are copied. The client is not notified of the end.
  using InlineBytes = std::array<std::byte, 16>;
  virtual void write_inline(std::uint64_t address, const InlineBytes& from, std::uint32_t bytes, bool more_follow) = 0;
  // A message-signalled interrupt: a posted write of 4 bytes.
  virtual void send_message(std::uint64_t address, std::uint32_t data) = 0;
  // Asserts or deasserts INTx, by a message that does not overtake the writes before it.
  virtual void set_interrupt_line(bool asserted) = 0;

 protected:
  ~DmaPort() = default;
};

class DmaClient {
 public:
  // Called when the bytes have arrived; `ok` is false if there is no memory at the address.
  virtual void read_ended(DmaTag tag, bool ok) = 0;
  // Called when a posted write has ended. Its buffer, if any, is free again.
  virtual void write_ended(DmaTag tag) = 0;

 protected:
  ~DmaClient() = default;
};

}  // namespace nandscape::host
