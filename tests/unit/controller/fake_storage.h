// SPDX-License-Identifier: Apache-2.0
// A backend that records accesses and answers when the test decides, and a front end that records completions.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "controller/cache/unit_table.h"
#include "core/calendar.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class FakeStorage final : public StorageDevice {
 public:
  struct Answer {
    Tick delay = 10 * microsecond;  // 0: completes from within submit()
    AccessStatus status = AccessStatus::ok;
    bool early = false;  // takes effect on arrival instead of on completion
  };
  struct Record {
    AccessKind kind;
    std::uint64_t lpn;
    std::uint32_t first_sector;
    std::uint32_t sector_count;
    bool force_unit_access;
    Tick at;
    friend bool operator==(const Record&, const Record&) = default;
  };

  FakeStorage(Calendar& calendar, std::uint32_t unit_bytes, std::uint64_t units, std::uint32_t units_together = 1)
      : calendar_(calendar),
        unit_bytes_(unit_bytes),
        units_(units),
        units_together_(units_together),
        content_(units * unit_bytes) {}

  void set_client(StorageClient& client) override { client_ = &client; }
  std::uint64_t logical_pages() const override { return units_; }
  std::uint32_t page_bytes() const override { return unit_bytes_; }
  std::uint32_t pages_written_together() const override { return units_together_; }
  std::uint64_t save_room() const override { return room; }
  bool read_only() const override { return takes_no_writes; }

  bool takes_no_writes = false;
  std::uint64_t room = ~std::uint64_t{0};  // units that can still be saved

  void submit(PageAccess& access, Tick now) override {
    records.push_back(
        {access.kind, access.lpn.value, access.first_sector, access.sector_count, access.force_unit_access, now});
    if (access.kind == AccessKind::write) begin_write(access);
    const Answer answer = decide ? decide(access) : Answer();
    access.status = answer.status;
    if (answer.early) take_effect(access);
    if (answer.delay == 0) return finish(access, answer.early);
    ++under_way;
    calendar_.schedule_action(
        now + answer.delay,
        [](void* self, std::uint64_t argument) {
          --static_cast<FakeStorage*>(self)->under_way;
          static_cast<FakeStorage*>(self)->finish(*reinterpret_cast<PageAccess*>(argument & ~std::uint64_t{1}),
                                                  (argument & 1) != 0);
        },
        this, reinterpret_cast<std::uintptr_t>(&access) | std::uint64_t{answer.early});
  }

  std::byte* sector(std::uint64_t lpn, std::uint32_t sector) {
    return content_.data() + lpn * unit_bytes_ + std::size_t{sector} * sector_bytes;
  }

  std::vector<Record> of_kind(AccessKind kind) const {
    std::vector<Record> found;
    for (const Record& record : records) {
      if (record.kind == kind) found.push_back(record);
    }
    return found;
  }

  std::function<Answer(const PageAccess&)> decide;
  std::vector<Record> records;
  std::uint64_t under_way = 0;
  // Two concurrent writes to a unit have no order: a cache that sends them cannot know the unit's content afterwards.
  bool writes_overlapped = false;

 private:
  void begin_write(const PageAccess& access) {
    if (++writing_[access.lpn.value] > 1) writes_overlapped = true;
  }

  void take_effect(PageAccess& access) {
    if (access.status != AccessStatus::ok) return;
    const std::size_t bytes = std::size_t{access.sector_count} * sector_bytes;
    switch (access.kind) {
      case AccessKind::read:
        if (access.data != nullptr) std::memcpy(access.data, sector(access.lpn.value, access.first_sector), bytes);
        break;
      case AccessKind::write:
        if (access.data != nullptr) std::memcpy(sector(access.lpn.value, access.first_sector), access.data, bytes);
        break;
      case AccessKind::trim: std::memset(sector(access.lpn.value, 0), 0, access.page_count * unit_bytes_); break;
      case AccessKind::flush: break;
    }
  }

  void finish(PageAccess& access, bool took_effect) {
    if (!took_effect) take_effect(access);
    if (access.kind == AccessKind::write) --writing_[access.lpn.value];
    client_->completed(access, calendar_.now());
  }

  Calendar& calendar_;
  const std::uint32_t unit_bytes_;
  const std::uint64_t units_;
  const std::uint32_t units_together_;
  std::vector<std::byte> content_;
  std::map<std::uint64_t, int> writing_;
  StorageClient* client_ = nullptr;
};

struct FakeFrontEnd final : StorageClient {
  void completed(PageAccess& access, Tick now) override {
    done.emplace_back(&access, now);
    if (heard) heard(access, now);
  }
  // Returns when the access completed, or nullopt if it has not.
  std::optional<Tick> time_of(const PageAccess& access) const {
    for (const auto& [other, at] : done) {
      if (other == &access) return at;
    }
    return std::nullopt;
  }

  std::function<void(PageAccess&, Tick)> heard;
  std::vector<std::pair<PageAccess*, Tick>> done;
};

inline PageAccess make_access(AccessKind kind, std::uint64_t lpn, std::uint32_t first = 0, std::uint32_t count = 8,
                              std::byte* data = nullptr) {
  PageAccess access;
  access.kind = kind;
  access.lpn = Lpn(lpn);
  access.first_sector = static_cast<std::uint16_t>(first);
  access.sector_count = static_cast<std::uint16_t>(count);
  access.data = data;
  return access;
}

}  // namespace nandscape::controller
