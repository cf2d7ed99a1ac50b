// SPDX-License-Identifier: Apache-2.0
// Counts the host accesses that the cache has accepted and not yet answered, and sends the answers to the client.
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

  // Completes the access at time `at`, in an event of its own. Its status must be set.
  void answer(PageAccess& access, Tick at) { calendar_.schedule<&HostAnswers::answer_due>(at, *this, access); }
  void fail(PageAccess& read, Tick now) {
    fail_read(read);
    answer(read, now);
  }
  // Completes the access now. The client may submit its next access before this returns.
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
