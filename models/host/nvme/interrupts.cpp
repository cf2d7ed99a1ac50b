// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/interrupts.h"

#include <cstring>

namespace nandscape::host {

std::uint32_t Interrupts::read_table(std::uint32_t offset) const {
  if (offset / 16 >= vectors_.size()) return 0;
  const Vector& v = vectors_[offset / 16];
  switch (offset % 16 / 4) {
    case 0: return static_cast<std::uint32_t>(v.address);
    case 1: return static_cast<std::uint32_t>(v.address >> 32);
    case 2: return v.data;
    default: return v.control;
  }
}

void Interrupts::write_table(std::uint32_t offset, std::uint32_t value) {
  if (offset / 16 >= vectors_.size()) return;
  Vector& v = vectors_[offset / 16];
  switch (offset % 16 / 4) {
    case 0: v.address = (v.address >> 32 << 32) | value; break;
    case 1: v.address = (v.address & 0xffff'ffff) | std::uint64_t{value} << 32; break;
    case 2: v.data = value; break;
    default: v.control = value & 1; break;
  }
  send_pending();
}

void Interrupts::clear_mask(std::uint32_t bits) {
  mask_ &= ~bits;
  send_pending();
}

void Interrupts::raise(std::uint32_t vector) {
  Vector& v = vectors_[vector];
  ++v.held_back;
  if (v.uncoalesced || coalescing_time() == 0 || v.held_back > (coalescing_ & 0xff)) {
    send(vector);
  } else if (v.held_back == 1) {
    const Tick wait = coalescing_time() * 100 * microsecond;
    calendar_.schedule<&Interrupts::coalescing_time_over>(calendar_.now() + wait, *this,
                                                          std::uint64_t{v.sends} << 32 | vector);
  }
}

void Interrupts::coalescing_time_over(std::uint64_t vector_and_sends) {
  const auto vector = static_cast<std::uint32_t>(vector_and_sends);
  const Vector& v = vectors_[vector];
  if (v.sends == vector_and_sends >> 32 && v.held_back != 0) send(vector);
}

void Interrupts::send(std::uint32_t vector) {
  Vector& v = vectors_[vector];
  v.held_back = 0;
  ++v.sends;
  v.pending = masked(vector);
  if (v.pending) return;
  ++sent_;
  DmaPort::InlineBytes message{};
  std::memcpy(message.data(), &v.data, sizeof v.data);
  port_.write_inline(v.address, message, sizeof v.data, false);
}

void Interrupts::send_pending() {
  for (std::uint32_t vector = 0; vector < vectors_.size(); ++vector) {
    if (vectors_[vector].pending && !masked(vector)) send(vector);
  }
}

// A controller reset does not touch the MSI-X table, which belongs to PCI Express.
void Interrupts::reset() {
  mask_ = 0;
  coalescing_ = 0;
  for (Vector& v : vectors_) {
    v.uncoalesced = false;
    v.pending = false;
    v.held_back = 0;
    ++v.sends;
  }
}

}  // namespace nandscape::host
