// SPDX-License-Identifier: Apache-2.0
// Passes completions of accesses, changes of the drive's health and work in the background to the front end.
#pragma once

#include "controller/migration/garbage_collection/garbage_collector.h"
#include "core/temperature_source.h"
#include "protocol/storage.h"

namespace nandscape::controller {

struct HostPort final : TemperatureListener, GarbageCollector::WorkListener {
  StorageClient* client = nullptr;

  void complete(PageAccess& access, Tick now) const { client->completed(access, now); }
  void health_changed(Tick now) const {
    if (client != nullptr) client->health_changed(now);
  }
  void temperature_changed(Tick now) override { health_changed(now); }
  void collection_works(bool under_way, Tick now) override {
    if (client != nullptr) client->background_work(under_way, now);
  }
};

}  // namespace nandscape::controller
