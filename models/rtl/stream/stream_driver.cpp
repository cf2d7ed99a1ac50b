// SPDX-License-Identifier: Apache-2.0
#include "rtl/stream/stream_driver.h"

#include <utility>

namespace nandscape::rtl {

StreamDriver::StreamDriver(std::string design, Calendar& calendar, const StreamTiming& timing)
    : calendar_(calendar),
      clock_(timing.clock_mhz),
      transfer_(std::move(design), clock_, ticks_from_us(timing.watchdog_us)) {}

void StreamDriver::submit(std::span<StreamFrame> frames, Client& client) {
  batches_.push_back({frames, &client});
  if (batches_.size() == 1) start();
}

void StreamDriver::end_batch() {
  cycles_ += transfer_.cycles();
  Client& client = *batches_.front().client;
  batches_.pop_front();
  if (!batches_.empty()) start();
  client.frames_moved(calendar_.now());
}

}  // namespace nandscape::rtl
