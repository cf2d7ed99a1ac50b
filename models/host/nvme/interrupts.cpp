// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/interrupts.h"

namespace nandscape::host {

// Applies new settings of configuration space. Turning MSI-X off clears the pending bits, because the INTx line then
// signals the same completions.
void Interrupts::route(const InterruptRouting& routing) {
  routing_ = routing;
  silent_ = !routing.msix || routing.function_masked || !routing.may_send;
  if (!routing.msix) table_.clear_pending();
  look_at_vectors();
  send_pending();
  update_line();
}

void Interrupts::look_at_vectors() {
  for (std::uint32_t vector = 0; vector < vectors_.size(); ++vector) {
    Vector& v = vectors_[vector];
    v.sends_at_once = !masked(vector) && (v.uncoalesced || coalescing_time() == 0);
    v.message = {table_.address(vector), table_.data(vector)};
  }
}

void Interrupts::set_coalescing(std::uint32_t feature) {
  coalescing_ = feature;
  look_at_vectors();
}

void Interrupts::disable_coalescing(std::uint32_t vector, bool disabled) {
  vectors_[vector].uncoalesced = disabled;
  look_at_vectors();
}

void Interrupts::write_table(std::uint32_t offset, std::uint32_t value) {
  table_.write(offset, value);
  look_at_vectors();
  send_pending();
}

void Interrupts::set_mask(std::uint32_t bits) {
  mask_ |= bits;
  look_at_vectors();
  update_line();
}

void Interrupts::clear_mask(std::uint32_t bits) {
  mask_ &= ~bits;
  look_at_vectors();
  send_pending();
  update_line();
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
  if (v.sends == vector_and_sends >> 32 && v.held_back != 0 && !by_line()) send(vector);
}

void Interrupts::send(std::uint32_t vector) {
  const bool pending = masked(vector);
  table_.set_pending(vector, pending);
  if (!pending) return dma_.send_message(message_at_once(vector));
  vectors_[vector].restart();
}

void Interrupts::send_pending() {
  for (std::uint32_t vector = 0; vector < vectors_.size(); ++vector) {
    if (table_.pending(vector) && !masked(vector)) send(vector);
  }
}

void Interrupts::set_waiting(std::uint32_t vectors) {
  waiting_ = vectors;
  update_line();
}

void Interrupts::update_line() {
  const bool wanted = status() && routing_.line_allowed;
  if (wanted == line_) return;
  line_ = wanted;
  if (wanted) ++sent_;
  dma_.set_interrupt_line(wanted);
}

void Interrupts::reset() {
  mask_ = 0;
  coalescing_ = 0;
  table_.clear_pending();
  for (Vector& v : vectors_) {
    v.uncoalesced = false;
    v.restart();
  }
  look_at_vectors();
  set_waiting(0);
}

void Interrupts::reset_table() {
  table_.reset();
  look_at_vectors();
}

}  // namespace nandscape::host
