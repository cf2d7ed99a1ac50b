// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/host_memory_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace nandscape::host {

using nvme::Status;

void HostMemoryBuffer::set(Command& command) {
  const bool enables = (command.entry.cdw11 & nvme::host_buffer_enable) != 0;
  if (enables) {
    command.fail(enable(command));
    if (command.status != Status::success) parts_.finish(command);
    return;
  }
  reset();
  // The host may use its memory for other purposes as soon as the command has completed.
  if (under_way_ == 0) return parts_.finish(command);
  ++command.pending;
  ending_ = &command;
}

Status HostMemoryBuffer::enable(Command& command) {
  const nvme::SubmissionEntry& e = command.entry;
  const std::uint64_t list = std::uint64_t{e.cdw14} << 32 | e.cdw13;
  if (enabled_ || !list_.empty()) return Status::command_sequence_error;
  if (e.cdw15 == 0 || e.cdw15 > most_descriptors || list % sizeof(nvme::HostBufferDescriptor) != 0) {
    return Status::invalid_field;
  }
  if (std::uint64_t{e.cdw12} * parts_.memory_page_bytes < user_->least_bytes()) return Status::invalid_field;
  attributes_ = {e.cdw12, e.cdw13, e.cdw14, e.cdw15, {}};
  memory_returned_ = (e.cdw11 & nvme::host_buffer_returned) != 0;
  list_.resize(e.cdw15);
  ++command.pending;
  parts_.dma.read(list, reinterpret_cast<std::byte*>(list_.data()),
                  static_cast<std::uint32_t>(list_.size() * sizeof list_[0]),
                  {DmaTag::Purpose::host_buffer_list, command.index});
  return Status::success;
}

void HostMemoryBuffer::list_read(Command& command, bool ok) {
  if (!command.detached) {
    command.fail(ok ? take_ranges() : Status::data_transfer_error);
    enabled_ = command.status == Status::success;
  }
  list_.clear();
  const std::uint64_t bytes = std::uint64_t{attributes_.hsize} * parts_.memory_page_bytes;
  if (enabled_ && !command.detached) user_->granted(*this, bytes, parts_.calendar.now());
  parts_.one_ended(command);
}

Status HostMemoryBuffer::take_ranges() {
  ranges_.clear();
  std::uint64_t left = std::uint64_t{attributes_.hsize} * parts_.memory_page_bytes;
  for (const nvme::HostBufferDescriptor& d : list_) {
    if (d.badd % parts_.memory_page_bytes != 0) return Status::invalid_field;
    const std::uint64_t bytes = std::min(left, std::uint64_t{d.bsize} * parts_.memory_page_bytes);
    if (bytes != 0) ranges_.push_back({d.badd, bytes});
    left -= bytes;
  }
  return left == 0 ? Status::success : Status::invalid_field;
}

Status HostMemoryBuffer::get(Command& command) const {
  const std::uint32_t select = command.entry.cdw10 >> 8 & 7;
  if (select > 3) return Status::invalid_field;
  if (select == 3) {
    command.data.clear();
    command.result = 1u << 2;  // changeable, not saveable
    return Status::success;
  }
  const bool current = select == 0 && enabled_;
  const nvme::HostBufferAttributes attributes = current ? attributes_ : nvme::HostBufferAttributes{};
  command.data.resize(sizeof attributes);
  std::memcpy(command.data.data(), &attributes, sizeof attributes);
  if (current) command.result = nvme::host_buffer_enable | (memory_returned_ ? nvme::host_buffer_returned : 0);
  return Status::success;
}

void HostMemoryBuffer::reset() {
  if (!std::exchange(enabled_, false)) return;
  attributes_ = {};
  memory_returned_ = false;
  user_->withdrawn(parts_.calendar.now());
}

// --- transfers

template <class Visit>
std::uint32_t HostMemoryBuffer::for_each_piece(std::uint64_t offset, std::uint32_t bytes, Visit visit) const {
  std::uint32_t pieces = 0;
  for (const Range& range : ranges_) {
    if (offset >= range.bytes) {
      offset -= range.bytes;
      continue;
    }
    const auto piece = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, range.bytes - offset));
    visit(range.address + offset, piece);
    ++pieces;
    bytes -= piece;
    offset = 0;
    if (bytes == 0) break;
  }
  return pieces;
}

void HostMemoryBuffer::read(std::uint64_t offset, std::uint32_t bytes, std::uint32_t tag) {
  if (free_reads_.empty()) {
    free_reads_.push_back(static_cast<std::uint32_t>(reads_.size()));
    reads_.emplace_back();
  }
  const std::uint32_t index = free_reads_.back();
  free_reads_.pop_back();
  ++under_way_;
  reads_[index] = {tag, for_each_piece(offset, bytes, [&](std::uint64_t address, std::uint32_t piece) {
                     parts_.dma.read(address, nullptr, piece, {DmaTag::Purpose::host_buffer, index});
                   })};
}

void HostMemoryBuffer::write(std::uint64_t offset, std::uint32_t bytes) {
  for_each_piece(offset, bytes, [this](std::uint64_t address, std::uint32_t piece) {
    parts_.dma.write(address, nullptr, piece, {}, false);
  });
}

void HostMemoryBuffer::read_ended(DmaTag tag, bool ok) {
  if (tag.purpose == DmaTag::Purpose::host_buffer_list) return list_read(parts_.commands[tag.index], ok);
  Read& read = reads_[tag.index];
  if (--read.pieces != 0) return;
  free_reads_.push_back(tag.index);
  --under_way_;
  user_->arrived(read.tag, parts_.calendar.now());
  if (under_way_ == 0 && ending_ != nullptr) parts_.one_ended(*std::exchange(ending_, nullptr));
}

}  // namespace nandscape::host
