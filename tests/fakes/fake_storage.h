// SPDX-License-Identifier: Apache-2.0
// A fake storage device. It records all accesses, stores their data, and lets each test decide when and with which
// status accesses complete.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

#include "core/archive.h"
#include "core/calendar.h"
#include "fakes/fake_host.h"
#include "protocol/storage.h"

namespace nandscape {

class FakeStorage final : public StorageDevice {
 public:
  struct Answer {
    Tick delay = 10 * microsecond;  // if 0, the access completes within submit()
    AccessStatus status = AccessStatus::ok;
    bool early = false;  // whether the data take effect when the access arrives instead of when it completes
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

  FakeStorage(Calendar& calendar, std::uint32_t unit_bytes, std::uint64_t units, std::uint32_t units_together = 1,
              Tick latency = 10 * microsecond)
      : calendar_(calendar),
        unit_bytes_(unit_bytes),
        units_(units),
        units_together_(units_together),
        latency_(latency) {}

  void set_client(StorageClient& client) override { client_ = &client; }
  std::uint64_t logical_pages() const override { return units_; }
  std::uint32_t page_bytes() const override { return unit_bytes_; }
  std::uint32_t pages_written_together() const override { return units_together_; }
  std::uint64_t save_room() const override { return room; }
  bool read_only() const override { return takes_no_writes; }
  DeviceHealth health() const override { return state; }

  void submit(PageAccess& access, Tick now) override {
    records.push_back(
        {access.kind, access.lpn.value, access.first_sector, access.sector_count, access.force_unit_access, now});
    if (keep_log) log.push_back(access);
    if (access.kind == AccessKind::write) begin_write(access);
    const Answer decided = decide ? decide(access) : Answer{.delay = latency_, .status = answer};
    access.status = decided.status;
    if (decided.early) take_effect(access);
    if (decided.delay == 0) return finish(access, decided.early);
    ++under_way;
    calendar_.schedule_action(
        now + decided.delay,
        [](void* self, std::uint64_t argument) {
          --static_cast<FakeStorage*>(self)->under_way;
          static_cast<FakeStorage*>(self)->finish(*reinterpret_cast<PageAccess*>(argument & ~std::uint64_t{1}),
                                                  (argument & 1) != 0);
        },
        this, reinterpret_cast<std::uintptr_t>(&access) | std::uint64_t{decided.early});
  }

  std::byte* sector(std::uint64_t lpn, std::uint32_t sector) {
    std::vector<std::byte>& unit = content_[lpn];
    unit.resize(unit_bytes_);
    return unit.data() + std::size_t{sector} * sector_bytes;
  }
  // Saves or restores the content.
  void persist(Archive& archive) {
    std::vector<std::uint64_t> units;
    std::vector<std::byte> bytes;
    for (const auto& [unit, data] : content_) {
      units.push_back(unit);
      bytes.insert(bytes.end(), data.begin(), data.end());
    }
    archive(units, bytes);
    content_.clear();
    for (std::size_t k = 0; k < units.size(); ++k) {
      std::memcpy(sector(units[k], 0), bytes.data() + k * unit_bytes_, unit_bytes_);
    }
  }

  std::vector<Record> of_kind(AccessKind kind) const {
    std::vector<Record> found;
    for (const Record& record : records) {
      if (record.kind == kind) found.push_back(record);
    }
    return found;
  }

  bool takes_no_writes = false;
  std::uint64_t room = ~std::uint64_t{0};  // number of units that the backend still has room to save
  DeviceHealth state{.volatile_write_cache = true};
  AccessStatus answer = AccessStatus::ok;           // status of all accesses if `decide` is null
  std::function<Answer(const PageAccess&)> decide;  // if null, each access takes the latency
  std::vector<Record> records;
  bool keep_log = false;
  std::vector<PageAccess> log;  // copies of the accesses as they were submitted
  std::uint64_t under_way = 0;
  // Set when two writes to the same unit overlap in time. They have no defined order, so a cache that issues them
  // cannot know which data the unit holds afterwards.
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
      case AccessKind::trim:
        content_.erase(content_.lower_bound(access.lpn.value),
                       content_.lower_bound(access.lpn.value + access.page_count));
        break;
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
  const Tick latency_;
  std::map<std::uint64_t, std::vector<std::byte>> content_;  // units that have never been written are zeroes
  std::map<std::uint64_t, int> writing_;
  StorageClient* client_ = nullptr;
};

}  // namespace nandscape
