// SPDX-License-Identifier: Apache-2.0
#include "rtl/stream/stream_design_module.h"

#include <utility>

namespace nandscape::rtl {

StreamDesignModule::StreamDesignModule(const sc_core::sc_module_name& name, std::unique_ptr<ClockedStream> design)
    : sc_module(name), design_(std::move(design)) {
  SC_HAS_PROCESS(StreamDesignModule);
  SC_METHOD(cycle);
  dont_initialize();
  sensitive << clk.neg();
}

void StreamDesignModule::cycle() {
  ClockedStream::Inputs inputs;
  inputs.reset = !rst_n.read();
  inputs.in = {s_data.read(), static_cast<std::uint8_t>(s_keep.read()), s_valid.read(), s_last.read()};
  inputs.seed = seed.read();
  inputs.out_ready = m_ready.read();
  const ClockedStream::Outputs outputs = design_->cycle(inputs);
  s_ready.write(outputs.in_ready);
  m_data.write(outputs.out.data);
  m_keep.write(outputs.out.keep);
  m_valid.write(outputs.out.valid);
  m_last.write(outputs.out.last);
  m_fail.write(outputs.fail);
  m_corrected.write(outputs.corrected);
}

}  // namespace nandscape::rtl
