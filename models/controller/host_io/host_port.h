// SPDX-License-Identifier: Apache-2.0
// Passes completions of accesses and changes of the drive's health to the front end.
#pragma once

#include "core/temperature_source.h"
#include "protocol/storage.h"

namespace nandscape::controller {

struct HostPort final : TemperatureListener {
  StorageClient* client = nullptr;

  void complete(PageAccess& access, Tick now) const { client->completed(access, now); }
  void health_changed(Tick now) const {
    if (client != nullptr) client->health_changed(now);
  }
  void temperature_changed(Tick now) override { health_changed(now); }
};

}  // namespace nandscape::controller
