// SPDX-License-Identifier: Apache-2.0
// Records the waves of signals in a time window: the values at the beginning of the window, and every change until its
// end.
//
// Signals must be added to a SystemC trace file before the kernel first runs, and such a file records the whole
// simulation. This recorder can also be used for a drive that is powered on later, and for a time window.
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
  // Writes the VCD file `path`. Recording begins at `begin`, or at the start of the simulation if that is later, and
  // ends at `end`. Throws InputError if the file cannot be written.
  SignalRecorderModule(const sc_core::sc_module_name& name, const std::string& path, Tick begin, Tick end);

  // Adds a signal. Call this function while the design is being built. The signal must outlive the recorder.
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
  sc_core::sc_event over_;  // never notified, so a process that waits for it has ended
};

}  // namespace nandscape::rtl
