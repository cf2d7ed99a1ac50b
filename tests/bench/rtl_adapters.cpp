// SPDX-License-Identifier: Apache-2.0
// Measures what the adapters between SystemC and an RTL design cost per clock cycle, once with the design clocked
// internally and once with the design on wires. The design itself does almost nothing. Processor time is measured, so
// that other programs have little influence.
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "rtl/stream/clocked_stream_driver.h"
#include "stream_wires.h"

namespace {

using namespace nandscape;
using namespace nandscape::rtl;

// A minimal design: a register that stores one word.
class OneWord final : public ClockedStream {
 public:
  Outputs cycle(const Inputs& inputs) override {
    const bool moves = !word_.valid || inputs.out_ready;
    const Outputs outputs{.in_ready = moves, .out = word_};
    if (moves) word_ = inputs.in;
    if (inputs.reset) word_ = {};
    return outputs;
  }

 private:
  StreamWord word_;
};

class Batches final : public StreamDriver::Client {
 public:
  Batches(StreamDriver& driver, int count) : driver_(driver), left_(count), in_(1024), out_(1024) {
    for (int k = 0; k < 16; ++k) frames_.push_back({.in = in_, .out = out_});
  }
  void start() { driver_.submit(frames_, *this); }
  void frames_moved(Tick) override {
    if (--left_ > 0) start();
  }

 private:
  StreamDriver& driver_;
  int left_;
  std::vector<std::byte> in_, out_;
  std::vector<StreamFrame> frames_;
};

double ns_since(std::clock_t begin) {
  return 1e9 * static_cast<double>(std::clock() - begin) / static_cast<double>(CLOCKS_PER_SEC);
}

double stream_ns_per_cycle(Calendar& calendar, StreamDriver& driver, CalendarModule& module, int batches) {
  Batches work(driver, batches);
  calendar.schedule<&Batches::start>(microsecond, work);
  const std::clock_t begin = std::clock();
  module.run(never);
  module.rethrow();
  return ns_since(begin) / static_cast<double>(driver.cycles());
}

double stream_inside() {
  const Kernel kernel;
  Calendar calendar;
  CalendarModule module("calendar", calendar, 0);
  ClockedStreamDriver driver("design", calendar, {}, std::make_unique<OneWord>());
  return stream_ns_per_cycle(calendar, driver, module, 2000);
}

double stream_on_wires() {
  const Kernel kernel;
  Calendar calendar;
  CalendarModule module("calendar", calendar, 0);
  DesignOnWires wires("design", calendar, {}, encoder_ports, std::make_unique<OneWord>());
  return stream_ns_per_cycle(calendar, wires.driver, module, 200);
}

}  // namespace

int main() {
  std::printf("processor time per clock cycle, with a design that does next to nothing\n");
  std::printf("clocked inside  %6.1f ns\n", stream_inside());
  std::printf("on wires        %6.1f ns\n", stream_on_wires());
}
