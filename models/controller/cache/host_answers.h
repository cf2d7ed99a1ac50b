// SPDX-License-Identifier: Apache-2.0
// The accesses of the host that the cache has taken and not yet answered, and the way back to whoever sent them.
#pragma once

#include <cstdint>

#include "core/calendar.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class HostAnswers {
 public:
  explicit HostAnswers(Calendar& calendar) : calendar_(calendar) {}

  void set_client(StorageClient& client) { client_ = &client; }
  void health_changed(Tick now) { client_->health_changed(now); }

  void expect() { ++due_; }
  bool none_due() const { return due_ == 0; }

  // The access, with its status set, is done at that time, in an event of its own.
  void answer(PageAccess& access, Tick at) { calendar_.schedule<&HostAnswers::answer_due>(at, *this, access); }
  void fail(PageAccess& read, Tick now) {
    fail_read(read);
    answer(read, now);
  }
  // Done now, which may bring the next access before this returns.
  void complete(PageAccess& access, Tick now) {
    --due_;
    if (access.times != nullptr) [[unlikely]]
      access.times->enter(LatencyPart::firmware, now);
    client_->completed(access, now);
  }

 private:
  void answer_due(PageAccess& access) { complete(access, calendar_.now()); }

  Calendar& calendar_;
  StorageClient* client_ = nullptr;
  std::uint64_t due_ = 0;
};

}  // namespace nandscape::controller
