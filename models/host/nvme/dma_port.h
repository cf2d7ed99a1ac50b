// SPDX-License-Identifier: Apache-2.0
// How the controller reaches host memory. The port is the link's side, the client the controller's; a tag chosen by the
// controller says what a transfer was for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nandscape::host {

// What a transfer serves, and which object of that kind.
struct DmaTag {
  enum class Purpose : std::uint32_t { none, submission_entries, prp_list, command_data, access_data, reset };

  Purpose purpose = Purpose::none;
  std::uint32_t index = 0;
};

class DmaPort {
 public:
  // Reads and writes are carried out in order each. A null buffer moves no bytes but takes all of their time. Buffers
  // stay with the port until the client is told that the transfer has ended.
  virtual void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) = 0;
  // A posted write. `more_follow`: another write comes at once, and nobody looks at this one before that has arrived
  // too.
  virtual void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag,
                     bool more_follow) = 0;
  // The same for the first of some bytes that are copied; nobody is told of the end.
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
  // The bytes have come in; `ok` is false when the address is no memory.
  virtual void read_ended(DmaTag tag, bool ok) = 0;
  // The buffer of a posted write, if it had one, is free again.
  virtual void write_ended(DmaTag tag) = 0;

 protected:
  ~DmaClient() = default;
};

}  // namespace nandscape::host
