// SPDX-License-Identifier: Apache-2.0
#include "host/driver/admin_queue.h"

#include <algorithm>
#include <utility>

namespace nandscape::host {

void AdminQueue::begin(std::uint32_t entries, std::uint32_t memory_page_bytes) {
  if (pair_) {
    pair_->clear();
  } else {
    pair_.emplace(memory_, registers_, QueuePair::Layout{0, entries, buffer_bytes, memory_page_bytes});
  }
  answers_.assign(pair_->entries(), {});
}

std::uint16_t AdminQueue::take_id(std::uint32_t bytes, Answer answer) {
  pair_->prepare(bytes);
  const std::uint16_t id = pair_->take_id();
  answers_[id] = std::move(answer);
  return id;
}

void AdminQueue::send(nvme::SubmissionEntry entry, std::uint32_t bytes, Answer answer) {
  entry.command_id = take_id(bytes, std::move(answer));
  pair_->set_prps(entry, bytes);
  pair_->push() = entry;
}

void AdminQueue::send_data(nvme::SubmissionEntry entry, std::span<const std::byte> data, Answer answer) {
  const auto bytes = static_cast<std::uint32_t>(data.size());
  entry.command_id = take_id(bytes, std::move(answer));
  std::ranges::copy(data, memory_.at(pair_->buffer(entry.command_id)).begin());
  pair_->set_prps(entry, bytes);
  pair_->push() = entry;
}

void AdminQueue::send_pointing_to(std::uint64_t address, nvme::SubmissionEntry entry, Answer answer) {
  entry.command_id = take_id(0, std::move(answer));
  entry.prp1 = address;
  pair_->push() = entry;
}

void AdminQueue::interrupt() {
  pair_->reap([this](const nvme::CompletionEntry& entry) {
    // The answer is moved out of its slot before it is called, because it may send the next command, which may reuse
    // this identifier and the slot.
    const Answer answer = std::exchange(answers_[entry.command_id], {});
    if (answer) answer(entry, memory_.at(pair_->buffer(entry.command_id)).first(buffer_bytes));
  });
  ring();
}

}  // namespace nandscape::host
