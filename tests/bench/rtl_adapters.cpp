// SPDX-License-Identifier: Apache-2.0
// Measures the cost of a design's clock cycle without the design itself: clocked internally and on wires, for stream
// ports and for AXI4-Lite. The designs do next to nothing. Times are processor time, so that other programs matter
// little.
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "axi_lite_memory.h"
#include "axi_lite_wires.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/simulated_time.h"
#include "rtl/stream/clocked_stream_driver.h"
#include "stream_wires.h"

namespace {

using namespace nandscape;
using namespace nandscape::rtl;

// A register for one word.
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

// Reads words one after another.
struct Reader final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
  SC_HAS_PROCESS(Reader);
  Reader(const sc_core::sc_module_name& name, int count) : sc_module(name), left(count) {
    socket.bind(*this);
    SC_THREAD(read);
  }
  void read() {
    unsigned char word[4];
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_data_ptr(word);
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);
    sc_core::sc_time delay;
    for (; left > 0; --left) socket->b_transport(payload, delay);
    took = to_ticks(sc_core::sc_time_stamp() + delay);
  }
  double ns_per_cycle() {
    const std::clock_t begin = std::clock();
    sc_core::sc_start(to_sc_time(second));
    return ns_since(begin) / (static_cast<double>(took) / static_cast<double>(period));
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_initiator_socket<32> socket{"socket"};
  static constexpr Tick period = 10 * nanosecond;
  int left;
  Tick took = 0;
};

double registers_inside() {
  const Kernel kernel;
  AxiLiteDesignModule design("design", {.clock_mhz = 100}, std::make_unique<AxiLiteMemoryDesign>(1, 0));
  Reader reader("reader", 300'000);
  reader.socket.bind(design.target);
  return reader.ns_per_cycle();
}

// On wires, with the slave and a TLM target behind them.
double registers_on_wires() {
  const Kernel kernel;
  Reader reader("reader", 50'000);
  AxiLiteMasterModule master("master", {.clock_mhz = 100});
  AxiLiteWires wires;
  AxiLiteSlaveModule slave("slave");
  AxiLiteDesignModule design("design", {.clock_mhz = 100}, std::make_unique<AxiLiteMemoryDesign>(1, 0));
  reader.socket.bind(master.target);
  wires.bind(master, slave);
  slave.initiator.bind(design.target);
  return reader.ns_per_cycle();
}

}  // namespace

int main() {
  std::printf("processor time per clock cycle, with designs that do next to nothing\n");
  std::printf("stream, clocked inside     %6.1f ns\n", stream_inside());
  std::printf("stream, on wires           %6.1f ns\n", stream_on_wires());
  std::printf("AXI4-Lite, clocked inside  %6.1f ns\n", registers_inside());
  std::printf("AXI4-Lite, on wires        %6.1f ns\n", registers_on_wires());
}
