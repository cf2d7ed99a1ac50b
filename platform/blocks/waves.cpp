// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/waves.h"

#include "core/error.h"
#include "core/message_text.h"

namespace nandscape {

void describe(WavesParameters& p, ParameterVisitor& v) {
  v.unread_if(p.file.empty(), {"begin_us", "end_us"}, "file is empty");
  v.text("file", p.file,
         "file for the waves of blocks at pins (.vcd) or of designs in SystemVerilog (.fst); the name of the block is "
         "inserted before its suffix; empty: no waves");
  v.real("begin_us", p.begin_us, {0, 1e12}, "us", "when the waves begin");
  v.real("end_us", p.end_us, {0, 1e12}, "us", "when the waves end");
}

WaveFiles::WaveFiles(const WavesParameters& p, Tick start)
    : file_(p.file), start_(start), begin_(ticks_from_us(p.begin_us)), end_(ticks_from_us(p.end_us)) {}

std::string WaveFiles::path(std::string_view suffix, const std::string& name) {
  if (!file_.ends_with(suffix) || file_.size() == suffix.size()) return {};
  taken_ = true;
  if (start_ >= end_) return {};
  const std::string since = start_ == 0 ? "" : ".from_" + shown(us_from_ticks(start_)) + "us";
  return file_.substr(0, file_.size() - suffix.size()) + "." + name + since + std::string(suffix);
}

void WaveFiles::check_taken() const {
  if (file_.empty() || taken_) return;
  throw ConfigError({}, "simulation.waves.file",
                    "no block of this drive writes '" + file_ +
                        "'. Dies at pins (simulation.blocks.die.kind: onfi_pins) write .vcd; the ECC engine in "
                        "SystemVerilog (simulation.blocks.ecc_engine.kind: rtl) writes .fst");
}

}  // namespace nandscape
