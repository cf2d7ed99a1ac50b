// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/rtl_ecc_engine.h"

#include <memory>
#include <string>
#include <utility>

#include "platform/blocks/rtl_code.h"
#include "rtl/blocks/verilated_blocks.h"
#include "rtl/stream/clocked_stream_driver.h"
#include "rtl/stream/stream_ecc_module.h"

namespace nandscape {

namespace {

struct RtlEngineParameters {
  double clock_mhz = 400;
  double watchdog_us = 1000;
};

void describe(RtlEngineParameters& p, ParameterVisitor& v) {
  v.real("clock_mhz", p.clock_mhz, {1e-3, 1e5}, "mhz", "clock of the designs");
  v.real("watchdog_us", p.watchdog_us, {1e-3, 1e9}, "us",
         "the run ends with an error when a design moves no word of a job for this time");
}

// A Verilog design with the driver that clocks it. If waves are configured, records them between two times.
class RecordedDesign {
 public:
  RecordedDesign(const EccEngineContext& c, const std::string& design, const RtlEngineParameters& p,
                 std::unique_ptr<rtl::VerilatedStream> stream)
      : waves_(stream->waves()),
        begin_(c.waves.begin()),
        end_(c.waves.end()),
        driver(c.name + "." + design, c.calendar, {p.clock_mhz, p.watchdog_us}, std::move(stream)) {
    const std::string file = c.waves.path(".fst", c.name + "_" + design);
    if (file.empty()) return;
    waves_.open(file);
    driver.observe_cycles([this](Tick at, Tick period) {
      if (at >= begin_ && at < end_) waves_.begin_cycle(at, period);
    });
  }

 private:
  rtl::Waves& waves_;
  const Tick begin_;
  const Tick end_;

 public:
  rtl::ClockedStreamDriver driver;
};

// An ECC engine whose coders are Verilog designs. It requires that the simulation stores bytes, and that the drive has
// the code that the designs implement (config/compatibility.h).
class RtlEngine final : public EccEngineBlock {
 public:
  using Parameters = RtlEngineParameters;
  RtlEngine(const Parameters& p, EccEngineContext& c)
      : decoder_(c, "decoder", p, rtl::make_bch_decoder()),
        encoder_(c, "encoder", p, rtl::make_bch_encoder()),
        module_(c.name.c_str(), c.calendar,
                {c.layout, rtl_parity_bytes, c.crc_bits, c.hardware.decode_fifo_pages, c.hardware.encode_fifo_pages},
                rtl::StreamDrivers{decoder_.driver, encoder_.driver}) {}

  Tick lookahead() const override { return never; }
  JobTargetSocket<EccJob>& decode_socket() override { return module_.decode_socket(); }
  JobTargetSocket<EccJob>& encode_socket() override { return module_.encode_socket(); }
  ecc::EccCounters counters(CodeNumber) const override { return module_.counters(); }

 private:
  RecordedDesign decoder_;
  RecordedDesign encoder_;
  rtl::StreamEccModule module_;
};

}  // namespace

void add_rtl_engine(EccEngineBlocks& blocks) {
  blocks.add<RtlEngine>("rtl", "encoder and decoder in SystemVerilog, for BCH of 72 bits in 1 KiB");
}

}  // namespace nandscape
