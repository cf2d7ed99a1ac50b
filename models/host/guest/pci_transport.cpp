// SPDX-License-Identifier: Apache-2.0
#include "host/guest/pci_transport.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "host/guest/guest_error.h"

namespace nandscape::host::guest {

namespace {

constexpr std::uint32_t access_queue = 0, interrupt_queue = 1;

enum Operation : std::uint8_t {
  configuration_read = 1,
  configuration_write = 2,
  memory_read = 3,
  memory_write = 4,
  memory_fill = 5,
  line_interrupt = 6,
  message_interrupt = 7,
};

constexpr std::uint32_t longest_access = 64 * 1024;
// Linux frees the buffers of posted writes when it is called for their queue, or when it next reads. Its queue has 256.
constexpr std::uint32_t writes_per_call = 64;

constexpr std::byte ones{0xff};

}  // namespace

void PciTransport::attach(PciFunction* function) {
  function_ = function;
  for (Read& read : reads_) {
    read.ends = 0;
    std::ranges::fill(read.data, ones);
  }
  if (connection_ != nullptr) answer_until(never);
  interrupts_.clear();
}

// ---- Accesses

void PciTransport::kicked(std::uint32_t index, Tick now) {
  Virtqueue& queue = connection_->queue(index);
  while (std::optional<Virtqueue::Buffer> buffer = queue.take()) {
    if (index == access_queue) {
      carry_out(queue, std::move(*buffer), now);
    } else {
      for_interrupts_.push_back(std::move(*buffer));
    }
  }
}

void PciTransport::carry_out(Virtqueue& queue, Virtqueue::Buffer buffer, Tick now) {
  Access access;
  if (buffer.out.size() < sizeof access) {
    throw GuestError("a PCI access of " + std::to_string(buffer.out.size()) + " bytes, but its header has 16");
  }
  std::memcpy(&access, buffer.out.data(), sizeof access);
  if (access.bytes == 0 || access.bytes > longest_access) {
    throw GuestError("a PCI access to " + std::to_string(access.bytes) + " bytes; it has 1 to 65,536");
  }
  switch (access.operation) {
    case configuration_read:
    case memory_read: return read(std::move(buffer), access, now);
    case configuration_write:
    case memory_write:
    case memory_fill: write(buffer, access, now); return queue.give_back(buffer, 0);
    default:
      throw GuestError("PCI operation " + std::to_string(access.operation) +
                       "; a guest reads (1, 3), writes (2, 4) and fills (5)");
  }
}

void PciTransport::read(Virtqueue::Buffer buffer, const Access& access, Tick now) {
  std::size_t room = 0;
  for (const std::span<std::byte> part : buffer.in) room += part.size();
  if (room < access.bytes) {
    throw GuestError("a PCI read of " + std::to_string(access.bytes) + " bytes into a buffer of " +
                     std::to_string(room));
  }
  Read read{now, std::move(buffer), std::vector<std::byte>(access.bytes, ones)};
  const bool configuration = access.operation == configuration_read;
  ++(configuration ? counters_.configuration_accesses : counters_.register_reads);
  if (function_ != nullptr) {
    read.ends = configuration ? function_->config_read(static_cast<std::uint32_t>(access.address), read.data, now)
                              : function_->memory_read(access.bar, access.address, read.data, now);
  }
  const auto place = std::ranges::upper_bound(reads_, read.ends, {}, &Read::ends);
  reads_.insert(place, std::move(read));
  answer_until(now);
}

void PciTransport::answer_until(Tick now) {
  while (next_answer() <= now && !reads_.empty()) {
    connection_->queue(access_queue).answer(reads_.front().buffer, reads_.front().data);
    reads_.pop_front();
  }
}

void PciTransport::write(const Virtqueue::Buffer& buffer, const Access& access, Tick now) {
  std::span<const std::byte> data = std::span(buffer.out).subspan(sizeof access);
  const std::size_t needed = access.operation == memory_fill ? 1 : access.bytes;
  if (data.size() < needed) {
    throw GuestError("a PCI write of " + std::to_string(needed) + " bytes with only " + std::to_string(data.size()));
  }
  const bool configuration = access.operation == configuration_write;
  ++(configuration ? counters_.configuration_accesses : counters_.register_writes);
  if (function_ == nullptr) return;
  std::vector<std::byte> filled;
  if (access.operation == memory_fill) {
    filled.assign(access.bytes, data.front());
    data = filled;
  }
  data = data.first(access.bytes);
  if (configuration) {
    function_->config_write(static_cast<std::uint32_t>(access.address), data, now);
  } else {
    function_->memory_write(access.bar, access.address, data, now);
  }
}

// ---- DMA and interrupts

bool PciTransport::dma_read(std::uint64_t address, std::span<std::byte> into, Tick) {
  ++counters_.dma_reads;
  const bool there = connection_ != nullptr && connection_->memory().read(address, into);
  if (!there) ++counters_.refused_dma;
  return there;
}

bool PciTransport::dma_write(std::uint64_t address, std::span<const std::byte> from, Tick) {
  ++counters_.dma_writes;
  const bool there = connection_ != nullptr && connection_->memory().write(address, from);
  if (!there) ++counters_.refused_dma;
  return there;
}

void PciTransport::message(std::uint64_t, std::uint32_t data, Tick) {
  interrupt({message_interrupt, 0, 0, sizeof data, 0}, data);
}

void PciTransport::set_intx(bool asserted, Tick) {
  if (asserted) interrupt({line_interrupt, 0, 0, 0, 1}, 0);
}

void PciTransport::interrupt(const Access& message, std::uint32_t data) {
  std::vector<std::byte> bytes(sizeof message + message.bytes);
  std::memcpy(bytes.data(), &message, sizeof message);
  std::memcpy(bytes.data() + sizeof message, &data, message.bytes);
  interrupts_.push_back(std::move(bytes));
  ++counters_.interrupts;
  if (listener_ != nullptr) listener_->interrupt_arrived();
}

bool PciTransport::wants_delivery() {
  if (connection_ == nullptr) return false;
  return (!interrupts_.empty() && !for_interrupts_.empty()) ||
         connection_->queue(access_queue).uncalled() >= writes_per_call;
}

void PciTransport::deliver(const VhostUser::AwaitReadable& await) {
  if (connection_->queue(access_queue).uncalled() >= writes_per_call) connection_->call(access_queue, await);
  if (interrupts_.empty() || for_interrupts_.empty()) return;
  while (!interrupts_.empty() && !for_interrupts_.empty()) {
    connection_->queue(interrupt_queue).answer(for_interrupts_.front(), interrupts_.front());
    for_interrupts_.pop_front();
    interrupts_.pop_front();
  }
  connection_->call(interrupt_queue, await);
}

}  // namespace nandscape::host::guest
