// SPDX-License-Identifier: Apache-2.0
// Forwards completions to the front end.
#pragma once

#include "protocol/storage.h"

namespace nandscape::controller {

struct HostPort {
  StorageClient* client = nullptr;

  void complete(PageAccess& access, Tick now) const { client->completed(access, now); }
  void health_changed(Tick now) const {
    if (client != nullptr) client->health_changed(now);
  }
};

}  // namespace nandscape::controller
