// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/dma_transfers.h"

#include <algorithm>
#include <cstring>

namespace nandscape::host {

// ---- The device calls

inline DmaTransfer& DmaTransfers::take(std::uint64_t address, std::uint32_t bytes, bool read) {
  auto& transfer = static_cast<DmaTransfer&>(*free_);
  free_ = transfer.next;
  transfer.address = address;
  transfer.data = nullptr;
  transfer.tag = {};
  transfer.payload = nullptr;
  transfer.bytes = bytes;
  transfer.read = read;
  transfer.plain = true;
  transfer.moved_by_host = false;
  transfer.ok = true;
  transfer.interrupt = DmaInterrupt::none;
  transfer.message_follows = false;
  return transfer;
}

inline DmaTransfer& DmaTransfers::take_inline(std::uint64_t address, const DmaPort::InlineBytes& from) {
  DmaTransfer& transfer = take(address, sizeof from, false);
  transfer.inline_bytes = from;
  transfer.data = transfer.inline_bytes.data();
  return transfer;
}

inline void DmaTransfers::set_message(DmaTransfer& transfer, DmaMessage message) {
  transfer.address = message.address;
  transfer.bytes = sizeof message.data;
  std::memcpy(transfer.inline_bytes.data(), &message.data, sizeof message.data);
  transfer.interrupt = DmaInterrupt::message;
}

inline void DmaTransfers::append(DmaTransfer& write) {
  write.next = nullptr;
  (oldest_write_ == nullptr ? oldest_write_ : newest_write_->next) = &write;
  newest_write_ = &write;
}

inline void DmaTransfers::send_write(DmaTransfer& transfer, bool more_follow) {
  transfer.arrival = link_.write_upstream(calendar_.now(), transfer.address, transfer.bytes);
  append(transfer);
  if (!more_follow) calendar_.schedule<&DmaTransfers::writes_arrive>(transfer.arrival, *this);
}

inline void DmaTransfers::send_read(DmaTransfer& transfer) {
  link_.begin_read(calendar_.now(), transfer, transfer.address, transfer.bytes);
  look_at_oldest_read();
}

void DmaTransfers::read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) {
  if (free_ == nullptr) [[unlikely]]
    return grow_then<&DmaTransfers::read>(address, into, bytes, tag);
  DmaTransfer& transfer = take(address, bytes, true);
  transfer.data = into;
  transfer.tag = tag;
  send_read(transfer);
}

// The const_cast is safe, because the buffer of a write is only read.
void DmaTransfers::write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag,
                         bool more_follow) {
  if (free_ == nullptr) [[unlikely]]
    return grow_then<&DmaTransfers::write>(address, from, bytes, tag, more_follow);
  DmaTransfer& transfer = take(address, bytes, false);
  transfer.data = const_cast<std::byte*>(from);
  transfer.tag = tag;
  send_write(transfer, more_follow);
}

void DmaTransfers::write_inline(std::uint64_t address, DmaPort::InlineBytes from) {
  if (free_ == nullptr) grow();
  send_write(take_inline(address, from), false);
}

void DmaTransfers::send_message(DmaMessage message) {
  if (free_ == nullptr) grow();
  DmaTransfer& transfer = take_inline(message.address, {});
  set_message(transfer, message);
  send_write(transfer, false);
}

// Both transfers are one object, because the host notices them at the same time.
void DmaTransfers::write_and_interrupt(std::uint64_t address, DmaPort::InlineBytes from, DmaMessage message) {
  if (free_ == nullptr) [[unlikely]]
    return grow_then<&DmaTransfers::write_and_interrupt>(address, from, message);
  DmaTransfer& transfer = take_inline(address, from);
  transfer.message = message;
  transfer.message_follows = true;
  transfer.arrival = link_.write_upstream(calendar_.now(), link_.write_burst(address, sizeof from),
                                          link_.write_burst(message.address, sizeof message.data));
  append(transfer);
  calendar_.schedule<&DmaTransfers::writes_arrive>(transfer.arrival, *this);
}

// Sends the message that asserts or deasserts INTx. It has a header of four doublewords and no data. This is the size
// of a write of one doubleword below 4 GiB, hence the length of 4 bytes.
void DmaTransfers::set_interrupt_line(bool asserted) {
  DmaTransfer& transfer = begin_write(0, 4, false);
  transfer.data = transfer.inline_bytes.data();
  transfer.plain = false;
  transfer.interrupt = asserted ? DmaInterrupt::line_asserted : DmaInterrupt::line_deasserted;
}

// ---- Writes

DmaTransfer& DmaTransfers::begin_write(std::uint64_t address, std::uint32_t bytes, bool more_follow) {
  if (free_ == nullptr) grow();
  DmaTransfer& transfer = take(address, bytes, false);
  send_write(transfer, more_follow);
  return transfer;
}

void DmaTransfers::writes_arrive() {
  if (moving_) return;
  while (oldest_write_ != nullptr && oldest_write_->arrival <= calendar_.now()) {
    // The write stays in the list until its bytes have been moved, because no read may overtake it.
    auto& write = static_cast<DmaTransfer&>(*oldest_write_);
    if (write.data != nullptr && !deliver(write)) {
      moving_ = true;
      return;
    }
    end_oldest_write();
  }
  look_at_oldest_read();
}

[[gnu::noinline]] bool DmaTransfers::deliver(DmaTransfer& write) {
  if (!interrupt(write) && !copy(write) && !host_.move(write)) return false;
  if (!write.message_follows) return true;
  if (interrupts_ != nullptr && interrupts_->interrupt_comes(write.message.address, write.message.data)) [[likely]]
    return true;
  turn_into_message(write);
  return deliver(write);
}

// Makes a write whose bytes have been moved the message that follows it.
void DmaTransfers::turn_into_message(DmaTransfer& write) {
  write.message_follows = false;
  set_message(write, write.message);
}

void DmaTransfers::write_moved() {
  moving_ = false;
  auto& write = static_cast<DmaTransfer&>(*oldest_write_);
  if (write.message_follows) {
    turn_into_message(write);
  } else {
    end_oldest_write();
  }
  writes_arrive();
}

inline void DmaTransfers::end_oldest_write() {
  auto& write = static_cast<DmaTransfer&>(*oldest_write_);
  oldest_write_ = write.next;
  if (write.payload != nullptr) [[unlikely]] {
    host_.ended(write);
    return release(write);
  }
  release(write);
  if (write.tag.purpose != DmaTag::Purpose::none) client_->write_ended(write.tag);
}

// ---- Reads

DmaTransfer& DmaTransfers::begin_read(std::uint64_t address, std::uint32_t bytes) {
  if (free_ == nullptr) grow();
  DmaTransfer& transfer = take(address, bytes, true);
  send_read(transfer);
  return transfer;
}

// A read returns no data before all writes that arrive before its request have arrived. The host may react to these
// writes by sending packets, for example doorbells, and these packets go downstream before the answer.
void DmaTransfers::await_oldest_read() {
  if (oldest_write_ != nullptr && oldest_write_->arrival < link_.oldest_read()->arrival) return;
  looking_ = true;
  // The expected end may lie in the past, because an earlier write may have waited for slow memory.
  const Tick end = std::max(link_.oldest_read_expected(), calendar_.now());
  calendar_.schedule<&DmaTransfers::oldest_read_may_end>(end, *this);
}

// Ends the oldest read if its data have arrived. Answers are sent one after the other, so no two reads end at the same
// time.
void DmaTransfers::oldest_read_may_end() {
  if (link_.oldest_read_end(calendar_.now()) <= calendar_.now()) [[likely]]
    end_oldest_read();
  looking_ = false;
  look_at_oldest_read();
}

inline void DmaTransfers::end_oldest_read() {
  auto& read = static_cast<DmaTransfer&>(*link_.oldest_read());
  link_.end_oldest_read();
  const bool moved = copy(read) || host_.move(read);
  if (read.payload != nullptr) [[unlikely]] {
    if (moved) host_.ended(read);
    return release(read);
  }
  release(read);
  client_->read_ended(read.tag, read.ok);
}

// ---- Bytes

// Passes an interrupt message directly to its handler at host memory. Returns false if the transfer is not a message,
// or if there is no such handler.
inline bool DmaTransfers::interrupt(DmaTransfer& transfer) {
  if (transfer.interrupt != DmaInterrupt::message || interrupts_ == nullptr) return false;
  std::uint32_t message = 0;
  std::memcpy(&message, transfer.inline_bytes.data(), sizeof message);
  return interrupts_->interrupt_comes(transfer.address, message);
}

namespace {

// Most transfers with a buffer are completion entries, whose length is constant.
void copy_bytes(std::byte* to, const std::byte* from, std::uint32_t bytes) {
  if (bytes == sizeof(DmaPort::InlineBytes)) {
    std::memcpy(to, from, sizeof(DmaPort::InlineBytes));
  } else {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace

// Copies the bytes of a transfer between its buffer and host memory. Returns false if host memory must move the bytes
// itself.
inline bool DmaTransfers::copy(DmaTransfer& transfer) {
  if (transfer.data == nullptr) return true;
  if (!transfer.plain) return false;
  const Region& region = region_of(transfer);
  if (transfer.address < region.start || transfer.address > region.end) [[unlikely]]
    return copy_in_new_region(transfer);
  return copy(transfer, region);
}

bool DmaTransfers::copy_in_new_region(DmaTransfer& transfer) {
  Region& region = region_of(transfer);
  region = host_.region_of(transfer);
  return copy(transfer, region);
}

inline bool DmaTransfers::copy(const DmaTransfer& transfer, const Region& region) {
  if (region.bytes == nullptr || transfer.address + transfer.bytes - 1 > region.end) return false;
  std::byte* const buffer = transfer.data;
  std::byte* const memory = region.bytes + (transfer.address - region.start);
  copy_bytes(transfer.read ? buffer : memory, transfer.read ? memory : buffer, transfer.bytes);
  return true;
}

void DmaTransfers::invalidate(std::uint64_t start, std::uint64_t end) {
  for (Region& region : regions_) {
    if (region.start <= end && region.end >= start) region = {};
  }
}

}  // namespace nandscape::host
