// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping_memory/host_mapping.h"

#include <algorithm>
#include <numeric>

namespace nandscape::controller {

HostMapping::HostMapping(const Sizes& sizes, MappingCache& cache)
    : sizes_(sizes),
      lines_per_page_(sizes.page_bytes / line_bytes),
      cache_(cache),
      client_(cache.set_memory(*this)),
      sram_(sizes.sram_bytes / line_bytes),
      slots_(cache.translation_pages(), no_slot) {}

std::uint64_t HostMapping::line_of(Lpn lpn) const {
  const std::uint64_t entries = sizes_.page_bytes / sizes_.entry_bytes;
  const std::uint64_t page = lpn.value / entries;
  return page * lines_per_page_ + (lpn.value - page * entries) * sizes_.entry_bytes / line_bytes;
}

// --- look-ups

bool HostMapping::look_up(MappingWaiter& waiter, Tick) {
  const std::uint64_t line = line_of(waiter.lpn);
  if (buffer_ == nullptr || sram_.find(line) != nullptr) {
    ++counters_.sram;
    return true;
  }
  ++counters_.host;
  fetch(line).waiters.push(waiter);
  return false;
}

// The look-up has waited for the translation page, so it counts as one of the flash. An earlier waiter may have put its
// line into SRAM.
bool HostMapping::look_up_loaded(MappingWaiter& waiter, Tick) {
  if (buffer_ == nullptr) return true;
  const std::uint64_t line = line_of(waiter.lpn);
  if (sram_.find(line) == nullptr) keep({line, false});
  return true;
}

bool HostMapping::joins(MappingWaiter& waiter) {
  if (fetches_.empty()) return false;
  const auto found = fetches_.find(line_of(waiter.lpn));
  if (found == fetches_.end()) return false;
  ++counters_.host;
  reads_[found->second].waiters.push(waiter);
  return true;
}

// A trim calls this once for each translation page, so it changes one line of the page.
void HostMapping::change(Lpn lpn, Tick) {
  if (buffer_ == nullptr) return;
  const std::uint64_t line = line_of(lpn);
  if (LineCache::Line* const held = sram_.find(line); held != nullptr) {
    held->changed = true;
  } else if (const auto found = fetches_.find(line); found != fetches_.end()) {
    reads_[found->second].changed = true;
  } else {
    fetch(line).changed = true;
  }
}

HostMapping::Read& HostMapping::fetch(std::uint64_t line) {
  const std::uint32_t tag = begin_read(false, line);
  fetches_.emplace(line, tag);
  const std::uint64_t page = page_of_line(line);
  buffer_->read(offset_of(slots_[page]) + (line - page * lines_per_page_) * line_bytes, line_bytes, tag);
  counters_.host_bytes_read += line_bytes;
  return reads_[tag];
}

void HostMapping::keep(const LineCache::Line& line) {
  const LineCache::Line victim = sram_.insert(line);
  if (victim.number == LineCache::none || !victim.changed) return;
  const std::uint64_t page = page_of_line(victim.number);
  write(offset_of(slots_[page]) + (victim.number - page * lines_per_page_) * line_bytes, line_bytes);
}

// --- translation pages

void HostMapping::put(std::uint64_t page, Tick) {
  if (buffer_ == nullptr) return;
  assign_slot(page);
  write(offset_of(slots_[page]), sizes_.page_bytes);
}

void HostMapping::take(std::uint64_t page, Tick now) {
  if (buffer_ == nullptr) return client_.taken(page, now);
  sram_.remove(page * lines_per_page_, lines_per_page_);
  const std::uint32_t tag = begin_read(true, page);
  buffer_->read(offset_of(slots_[page]), sizes_.page_bytes, tag);
  counters_.host_bytes_read += sizes_.page_bytes;
}

void HostMapping::drop(std::uint64_t page) {
  if (buffer_ == nullptr) return;
  sram_.remove(page * lines_per_page_, lines_per_page_);
  release_slot(page);
}

void HostMapping::assign_slot(std::uint64_t page) {
  slots_[page] = free_slots_.back();
  free_slots_.pop_back();
}

void HostMapping::release_slot(std::uint64_t page) {
  if (slots_[page] == no_slot) return;
  free_slots_.push_back(slots_[page]);
  slots_[page] = no_slot;
}

// --- the buffer

// Translation pages that the SRAM held move to the buffer.
void HostMapping::granted(HostBuffer& buffer, std::uint64_t bytes, Tick) {
  buffer_ = &buffer;
  granted_bytes_ = bytes;
  const std::uint64_t room = bytes / sizes_.page_bytes;
  free_slots_.resize(room);
  std::iota(free_slots_.rbegin(), free_slots_.rend(), Slot{0});
  cache_.set_room(room);
  if (!content_restored_) sram_.clear();
  cache_.for_each_in_memory([this](std::uint64_t page) {
    assign_slot(page);
    if (!content_restored_) write(offset_of(slots_[page]), sizes_.page_bytes);
  });
  // The buffer may be smaller than the one whose content a checkpoint holds.
  sram_.remove_if([this](std::uint64_t line) { return slots_[page_of_line(line)] == no_slot; });
  content_restored_ = false;
}

void HostMapping::withdrawn(Tick now) {
  if (buffer_ == nullptr) return;
  buffer_ = nullptr;
  granted_bytes_ = 0;
  sram_.clear();
  free_slots_.clear();
  std::ranges::fill(slots_, no_slot);
  cache_.set_room(sizes_.sram_bytes / sizes_.page_bytes);
  cache_.lose_pages(now);
}

std::uint32_t HostMapping::begin_read(bool of_page, std::uint64_t number) {
  if (free_reads_.empty()) {
    free_reads_.push_back(static_cast<std::uint32_t>(reads_.size()));
    reads_.emplace_back();
  }
  const std::uint32_t tag = free_reads_.back();
  free_reads_.pop_back();
  reads_[tag] = {of_page, number, false, {}};
  ++under_way_;
  return tag;
}

void HostMapping::arrived(std::uint32_t tag, Tick now) {
  if (reads_[tag].of_page) {
    const std::uint64_t page = reads_[tag].number;
    release_slot(page);
    --under_way_;
    free_reads_.push_back(tag);
    return client_.taken(page, now);
  }
  line_arrived(tag, now);
}

// While the waiters are served, later look-ups of the line join them, so that they end in their order. The translation
// page may have left the buffer in the meantime; the line is then not kept.
void HostMapping::line_arrived(std::uint32_t tag, Tick now) {
  while (!reads_[tag].waiters.empty()) reads_[tag].waiters.pop().translated(now);
  const Read read = reads_[tag];
  fetches_.erase(read.number);
  --under_way_;
  free_reads_.push_back(tag);
  if (slots_[page_of_line(read.number)] != no_slot) keep({read.number, read.changed});
}

void HostMapping::write(std::uint64_t offset, std::uint32_t bytes) {
  buffer_->write(offset, bytes);
  counters_.host_bytes_written += bytes;
}

void HostMapping::persist(Archive& archive) {
  archive.section("mapping in the host memory buffer");
  bool has_content = buffer_ != nullptr || content_restored_;
  archive(has_content);
  if (archive.loading()) content_restored_ = has_content;
  sram_.persist(archive, slots_.size() * lines_per_page_);
}

}  // namespace nandscape::controller
