// SPDX-License-Identifier: Apache-2.0
#include "controller/streams/stream_policy.h"

namespace nandscape::controller {

namespace {

// Data that had to be moved have proved to live longer than data just written.
class BySource final : public StreamPolicy {
 public:
  using Parameters = NoParameters;
  explicit BySource(const Parameters&) {}

  std::uint8_t streams() const override { return 2; }
  std::uint8_t write_streams() const override { return 1; }
  std::uint8_t stream_of_write(Lpn, Tick) override { return 0; }
  std::uint8_t stream_of_move(Lpn, std::uint8_t) override { return 1; }
};

}  // namespace

void register_by_source(StreamRegistry& registry) {
  registry.add<BySource>("by_source", "separates host writes from moved pages");
}

}  // namespace nandscape::controller
