// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/dma_transfers.h"

#include <algorithm>
#include <cstring>

namespace nandscape::host {

// ---- The device calls

void DmaTransfers::read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) {
  DmaTransfer& transfer = begin_read(address, bytes);
  transfer.data = into;
  transfer.tag = tag;
}

// The const_cast is safe, because the buffer of a write is only read.
void DmaTransfers::write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag,
                         bool more_follow) {
  DmaTransfer& transfer = begin_write(address, bytes, more_follow);
  transfer.data = const_cast<std::byte*>(from);
  transfer.tag = tag;
}

void DmaTransfers::write_inline(std::uint64_t address, const InlineBytes& from, std::uint32_t bytes, bool more_follow) {
  DmaTransfer& transfer = begin_write(address, bytes, more_follow);
  transfer.holds_bytes = true;
  transfer.inline_bytes = from;
}

void DmaTransfers::send_message(std::uint64_t address, std::uint32_t data) {
  DmaTransfer& transfer = begin_write(address, sizeof data, false);
  transfer.holds_bytes = true;
  transfer.interrupt = DmaInterrupt::message;
  std::memcpy(transfer.inline_bytes.data(), &data, sizeof data);
}

// Sends the message that asserts or deasserts INTx. It has a header of four doublewords and no data. This is the size
// of a write of one doubleword below 4 GiB, hence the length of 4 bytes.
void DmaTransfers::set_interrupt_line(bool asserted) {
  DmaTransfer& transfer = begin_write(0, 4, false);
  transfer.holds_bytes = true;
  transfer.plain = false;
  transfer.interrupt = asserted ? DmaInterrupt::line_asserted : DmaInterrupt::line_deasserted;
}

// ---- Writes

DmaTransfer& DmaTransfers::begin_write(std::uint64_t address, std::uint32_t bytes, bool more_follow) {
  const Tick arrival = link_.write_upstream(calendar_.now(), address, bytes);
  DmaTransfer& transfer = writes_.append();
  transfer.reset(address, bytes);
  transfer.arrival = arrival;
  if (!more_follow) calendar_.schedule<&DmaTransfers::writes_arrive>(arrival, *this);
  return transfer;
}

void DmaTransfers::writes_arrive(std::uint64_t) {
  if (moving_) return;
  while (!writes_.empty() && writes_.front().arrival <= calendar_.now()) {
    // The write stays in the ring until its bytes have been moved, because no read may overtake it.
    DmaTransfer& next = writes_.front();
    if (next.payload == nullptr && (interrupt(next) || copy(next))) [[likely]] {
      const DmaTag tag = next.tag;
      writes_.pop();
      if (tag.purpose != DmaTag::Purpose::none) client_->write_ended(tag);
      continue;
    }
    // This is a copy, because host memory may start more writes while it is called, which changes the ring.
    DmaTransfer write = next;
    if (!copy(write) && !host_.move(write)) {
      moving_ = true;
      return;
    }
    writes_.pop();
    end(write);
  }
  look_at_oldest_read();
}

void DmaTransfers::write_moved() {
  moving_ = false;
  DmaTransfer write = writes_.front();
  writes_.pop();
  end(write);
  writes_arrive(0);
}

// ---- Reads

DmaTransfer& DmaTransfers::begin_read(std::uint64_t address, std::uint32_t bytes) {
  link_.begin_read(calendar_.now(), address, bytes);
  DmaTransfer& transfer = reads_.append();
  transfer.reset(address, bytes);
  transfer.read = true;
  look_at_oldest_read();
  return transfer;
}

// Schedules the end of the oldest read, unless it must wait for an earlier write. A read returns no data before all
// writes that arrive before its request have arrived. The host may react to these writes by sending packets, for
// example doorbells, and these packets go downstream before the answer.
void DmaTransfers::look_at_oldest_read() {
  if (looking_ || !link_.reading()) return;
  if (!writes_.empty() && writes_.front().arrival < link_.oldest_read_arrival()) return;
  looking_ = true;
  // The expected end may lie in the past, because an earlier write may have waited for slow memory.
  calendar_.schedule<&DmaTransfers::read_ends>(std::max(link_.oldest_read_expected(), calendar_.now()), *this);
}

// Ends the oldest read if its data have arrived. Answers are sent one after the other, so no two reads end at the same
// time.
void DmaTransfers::read_ends(std::uint64_t) {
  if (link_.oldest_read_end(calendar_.now()) <= calendar_.now()) end_oldest_read();
  looking_ = false;
  look_at_oldest_read();
}

inline void DmaTransfers::end_oldest_read() {
  DmaTransfer& oldest = reads_.front();
  link_.end_oldest_read();
  if (oldest.payload == nullptr && copy(oldest)) [[likely]] {
    const DmaTag tag = oldest.tag;
    reads_.pop();
    return client_->read_ended(tag, true);
  }
  // This is a copy, because host memory may start more reads while it is called, which changes the ring.
  DmaTransfer read = oldest;
  reads_.pop();
  if (copy(read) || host_.move(read)) end(read);
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

// Copies the bytes of a transfer between its buffer and host memory. Returns false if host memory must move the bytes
// itself.
inline bool DmaTransfers::copy(DmaTransfer& transfer) {
  std::byte* const buffer = transfer.buffer();
  if (buffer == nullptr) return true;
  if (!transfer.plain) return false;
  const Region& region = region_of(transfer);
  if (region.bytes == nullptr || transfer.address + transfer.bytes - 1 > region.end) return false;
  std::byte* const memory = region.bytes + (transfer.address - region.start);
  if (transfer.read) {
    std::memcpy(buffer, memory, transfer.bytes);
  } else {
    std::memcpy(memory, buffer, transfer.bytes);
  }
  return true;
}

void DmaTransfers::end(DmaTransfer& transfer) {
  if (transfer.payload != nullptr) return host_.ended(transfer);
  if (transfer.read) return client_->read_ended(transfer.tag, transfer.ok);
  if (transfer.tag.purpose != DmaTag::Purpose::none) client_->write_ended(transfer.tag);
}

void DmaTransfers::invalidate(std::uint64_t start, std::uint64_t end) {
  for (Region& region : regions_) {
    if (region.start <= end && region.end >= start) region = {};
  }
}

}  // namespace nandscape::host
