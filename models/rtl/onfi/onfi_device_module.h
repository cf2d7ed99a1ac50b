// SPDX-License-Identifier: Apache-2.0
// An ONFI target with pins, which converts the signals at the pins to commands for a die. With this module, an external
// channel controller can drive a simulated die.
//
// Bind `die_socket()` to a DieModule, or to any other target of NandCommand, and the pins to signals. The target has
// one logical unit and a separate CE_n. It accesses whole pages with their spare bytes. The PageStore of the die should
// be created with `Spare::kept`, because otherwise the spare bytes are read as FFh. The commands of the target do not
// contain fields that have no equivalent on the ONFI bus: tag, error counts, seed, retry step (set the features from
// D0h on instead), soft senses and SLC mode.
//
// Pins change at SystemC's time, so the calendar must not run ahead of SystemC. Call
// CalendarModule::limit_lookahead(0).
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "core/calendar.h"
#include "protocol/job_port.h"
#include "rtl/onfi/logical_unit.h"
#include "rtl/onfi/target_bus.h"
#include "rtl/onfi/violations.h"

namespace nandscape::rtl::onfi {

class OnfiDeviceModule final : public sc_core::sc_module, private LogicalUnit::Die, private TargetBus::Outputs {
 public:
  // `read_levels` is the number of read levels of the die's cells. Their offsets are features. `geometry` must outlive
  // the module. Throws ConfigError if the address cycles cannot address all pages of the die.
  OnfiDeviceModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry,
                   std::uint32_t read_levels, OnViolation on_violation = OnViolation::record);

  sc_core::sc_in<bool> ce_n{"ce_n"};
  sc_core::sc_in<bool> cle{"cle"};
  sc_core::sc_in<bool> ale{"ale"};
  sc_core::sc_in<bool> we_n{"we_n"};  // NV-DDR: CLK
  sc_core::sc_in<bool> re_n{"re_n"};  // NV-DDR: W/R_n
  sc_core::sc_in<bool> wp_n{"wp_n"};
  sc_core::sc_in<sc_dt::sc_uint<8>> dq_in{"dq_in"};
  sc_core::sc_in<bool> dqs_in{"dqs_in"};
  sc_core::sc_out<sc_dt::sc_uint<8>> dq_out{"dq_out"};
  sc_core::sc_out<bool> dq_enable{"dq_enable"};
  sc_core::sc_out<bool> dqs_out{"dqs_out"};
  sc_core::sc_out<bool> dqs_enable{"dqs_enable"};
  sc_core::sc_out<bool> rb_n{"rb_n"};

  JobInitiatorSocket<NandCommand>& die_socket() { return port_.socket; }

  // Returns the violations of the ONFI protocol by the host so far.
  const Violations& violations() const { return violations_; }
  Violations& violations() { return violations_; }
  // Returns true if no array operation is in progress or queued. The die may still contain a page that was read.
  bool idle() const { return unit_.idle(); }
  TimingMode timing_mode() const { return unit_.timing_mode(); }

 private:
  friend class JobInitiatorPort<NandCommand, OnfiDeviceModule>;

  void start_of_simulation() override;
  void sample();
  void pins_moved(std::uint64_t pins);
  void drive_pins(std::uint64_t pins);
  void release_pins();
  void update_ready();

  // Functions that the bus and the logical unit call.
  void drive(Tick at, const TargetPins& pins) override;
  void release_at(Tick at) override;
  void begin_request(NandCommand& command) override;
  void end_response(NandCommand& command) override;
  void wake(Tick at) override;
  void woken();

  // Functions that the port calls.
  void request_ended(NandCommand& command, Tick now);
  bool response_begins(NandCommand& command, Tick now);
  void job_over(tlm::tlm_generic_payload& payload);
  void send_next();

  Calendar& calendar_;
  Violations violations_;
  JobInitiatorPort<NandCommand, OnfiDeviceModule> port_;
  JobPayloadPool<NandCommand> payloads_;
  LogicalUnit unit_;
  TargetBus bus_;
  std::deque<NandCommand*> to_send_;  // commands to be sent when the die has ended the current request
  bool was_ready_ = true;
};

}  // namespace nandscape::rtl::onfi
