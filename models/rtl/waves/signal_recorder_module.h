// SPDX-License-Identifier: Apache-2.0
// Records the waves of signals, from a tick to another: what they are when it begins, and every change until it ends.
//
// A trace file of SystemC takes signals before its kernel first runs, and the whole run; this one also serves a drive
// that is switched on later, and a window.
#pragma once

#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "protocol/simulated_time.h"
#include "rtl/waves/vcd_file.h"

namespace nandscape::rtl {

class SignalRecorderModule final : public sc_core::sc_module {
 public:
  // To the VCD file `path`, which begins at `begin` or when the simulation does. Throws InputError when the file cannot
  // be written.
  SignalRecorderModule(const sc_core::sc_module_name& name, const std::string& path, Tick begin, Tick end);

  // While the design is made. The signal must be there as long as the recorder.
  void add(const sc_core::sc_signal<bool>& signal) {
    add(signal, 1, [&signal] { return std::uint64_t{signal.read()}; });
  }
  template <int Bits>
  void add(const sc_core::sc_signal<sc_dt::sc_uint<Bits>>& signal) {
    add(signal, Bits, [&signal] { return signal.read().to_uint64(); });
  }

 private:
  using Read = std::function<std::uint64_t()>;

  template <class Signal>
  void add(const Signal& signal, unsigned int bits, Read read) {
    file_.add(signal.basename(), bits);
    reads_.push_back(std::move(read));
    changed_ |= signal.value_changed_event();
  }
  void show();

  VcdFile file_;
  const Tick begin_;
  const Tick end_;
  std::vector<Read> reads_;
  sc_core::sc_event_or_list changed_;
  sc_core::sc_event over_;  // which never comes
};

}  // namespace nandscape::rtl
