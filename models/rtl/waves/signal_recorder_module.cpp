// SPDX-License-Identifier: Apache-2.0
#include "rtl/waves/signal_recorder_module.h"

namespace nandscape::rtl {

SignalRecorderModule::SignalRecorderModule(const sc_core::sc_module_name& name, const std::string& path, Tick begin,
                                           Tick end)
    : sc_module(name), file_(path, this->basename()), begin_(begin), end_(end) {
  SC_HAS_PROCESS(SignalRecorderModule);
  SC_METHOD(show);
}

// Writes the current values. First called at the start of the simulation, then at each change within the window.
void SignalRecorderModule::show() {
  const Tick now = to_ticks(sc_core::sc_time_stamp());
  if (now >= end_) return next_trigger(over_);
  if (now < begin_) return next_trigger(to_sc_time(begin_ - now));
  for (std::size_t k = 0; k < reads_.size(); ++k) file_.change(now, k, reads_[k]());
  next_trigger(changed_);
}

}  // namespace nandscape::rtl
