// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/async_events.h"

namespace nandscape::host {

void AsyncEvents::request(Command& command) {
  if (requests_.size() == limit) {
    command.fail(nvme::Status::async_event_limit_exceeded);
    return parts_.finish(command);
  }
  command.pending = 1;
  requests_.push_back(&command);
  report();
}

void AsyncEvents::happened(std::uint32_t type, std::uint32_t information, nvme::LogPage page) {
  Type& t = types_.at(type);
  if (t.waiting || t.silent) return;
  t.waiting = nvme::async_event(type, information, page);
  t.page = page;
  report();
}

void AsyncEvents::report() {
  for (Type& t : types_) {
    if (requests_.empty()) return;
    if (!t.waiting || t.silent) continue;
    Command& command = *requests_.front();
    requests_.erase(requests_.begin());
    command.result = *t.waiting;
    t.waiting.reset();
    t.silent = true;
    parts_.one_ended(command);
  }
}

void AsyncEvents::log_read(nvme::LogPage page) {
  for (Type& t : types_) {
    if (t.silent && t.page == page) t.silent = false;
  }
  report();
}

void AsyncEvents::reset() {
  requests_.clear();
  types_ = {};
}

}  // namespace nandscape::host
