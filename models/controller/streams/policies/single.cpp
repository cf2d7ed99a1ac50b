// SPDX-License-Identifier: Apache-2.0
#include "controller/streams/stream_policy.h"

namespace nandscape::controller {

namespace {

class Single final : public StreamPolicy {
 public:
  using Parameters = NoParameters;
  explicit Single(const Parameters&) {}

  std::uint8_t streams() const override { return 1; }
  std::uint8_t write_streams() const override { return 1; }
  std::uint8_t stream_of_write(Lpn, Tick) override { return 0; }
  std::uint8_t stream_of_move(Lpn, std::uint8_t) override { return 0; }
};

}  // namespace

void register_single(StreamRegistry& registry) { registry.add<Single>("single", "one stream for all pages"); }

}  // namespace nandscape::controller
