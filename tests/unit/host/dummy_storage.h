// SPDX-License-Identifier: Apache-2.0
// A storage device that completes every access after a fixed time, and keeps the data if it receives any.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "core/archive.h"
#include "core/calendar.h"
#include "protocol/storage.h"

namespace nandscape::host {

class DummyStorage final : public StorageDevice {
 public:
  DummyStorage(Calendar& calendar, std::uint64_t pages, std::uint32_t bytes_per_page, Tick latency)
      : calendar_(calendar), pages_(pages), page_bytes_(bytes_per_page), latency_(latency) {}

  void set_client(StorageClient& client) override { client_ = &client; }
  std::uint64_t logical_pages() const override { return pages_; }
  std::uint32_t page_bytes() const override { return page_bytes_; }
  DeviceHealth health() const override { return state; }

  void submit(PageAccess& access, Tick now) override {
    if (keep_log) log.push_back(access);
    if (latency_ == 0) return complete(access);
    calendar_.schedule<&DummyStorage::complete>(now + latency_, *this, access);
  }

  // Saves and restores the stored data.
  void persist(Archive& archive) {
    std::vector<std::uint64_t> pages;
    std::vector<std::byte> bytes;
    for (const auto& [page, data] : stored_) {
      pages.push_back(page);
      bytes.insert(bytes.end(), data.begin(), data.end());
    }
    archive(pages, bytes);
    stored_.clear();
    for (std::size_t k = 0; k < pages.size(); ++k) {
      const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(k * page_bytes_);
      stored_[pages[k]].assign(first, first + page_bytes_);
    }
  }

  bool keep_log = false;
  std::vector<PageAccess> log;  // accesses as submitted
  DeviceHealth state{.volatile_write_cache = true};
  AccessStatus answer = AccessStatus::ok;  // status of every access from now on

 private:
  void complete(PageAccess& access) {
    access.status = answer;
    if (answer == AccessStatus::ok) carry_out(access);
    client_->completed(access, calendar_.now());
  }

  void carry_out(PageAccess& access) {
    if (access.kind == AccessKind::trim) {
      for (std::uint64_t k = 0; k < access.page_count; ++k) stored_.erase(access.lpn.value + k);
      return;
    }
    if (access.data == nullptr) return;
    const std::size_t offset = std::size_t{access.first_sector} * sector_bytes;
    const std::size_t bytes = std::size_t{access.sector_count} * sector_bytes;
    if (access.kind == AccessKind::write) {
      auto& page = stored_[access.lpn.value];
      page.resize(page_bytes_);
      std::memcpy(page.data() + offset, access.data, bytes);
    } else if (const auto found = stored_.find(access.lpn.value); found != stored_.end()) {
      std::memcpy(access.data, found->second.data() + offset, bytes);
    } else {
      std::memset(access.data, 0, bytes);
    }
  }

  Calendar& calendar_;
  std::uint64_t pages_;
  std::uint32_t page_bytes_;
  Tick latency_;
  StorageClient* client_ = nullptr;
  std::map<std::uint64_t, std::vector<std::byte>> stored_;
};

}  // namespace nandscape::host
