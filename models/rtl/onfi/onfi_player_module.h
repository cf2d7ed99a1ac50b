// SPDX-License-Identifier: Apache-2.0
// Replaces a die and drives the pins of an ONFI target instead. The target can be an external die model, an RTL design,
// or a simulated die behind an OnfiDeviceModule.
//
// The bus time is the time of the cycles at the pins. BEGIN_REQ starts the cycles of the command, and END_REQ is sent
// at their end. BEGIN_RESP is sent at the end of data-out or of the status cycles, with a response_time of 0. If there
// is a ChannelModule in front of the player, it must have the BusTiming of channel_without_bus_time(). Otherwise the
// bus time would be counted twice. Each player of a channel has separate wires. Players that share a BusTurns object
// use their wires as a single bus with several CE_n.
//
// Commands that use fields without an equivalent on the ONFI bus are refused, or the fields are ignored (see
// command_cycles.h). Debug transport returns no data. Aborted commands are answered when the cycles of the reset begin.
//
// Pins change at SystemC's time, so the calendar must not run ahead of SystemC. Call
// CalendarModule::limit_lookahead(0).
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "channel/parameters.h"
#include "core/calendar.h"
#include "protocol/job_port.h"
#include "rtl/onfi/bus_turns.h"
#include "rtl/onfi/command_player.h"
#include "rtl/onfi/host_bus.h"

namespace nandscape::rtl::onfi {

// Returns parameters for a channel with players behind it. Command cycles need no time on this channel, and the
// transfer of a page needs less than one tick.
channel::ChannelParameters channel_without_bus_time(const channel::ChannelParameters& parameters);

class OnfiPlayerModule final : public sc_core::sc_module,
                               private CommandPlayer::Surroundings,
                               private HostBus::Pins,
                               private BusTurns::Player {
 public:
  // `turns` is null if no other player uses the bus. `geometry` and `turns` must outlive the module. Throws ConfigError
  // if the address cycles of ONFI cannot address all pages of the die, or if the timing mode does not exist.
  OnfiPlayerModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry,
                   const PlayerSettings& settings, BusTurns* turns = nullptr);

  sc_core::sc_out<bool> ce_n{"ce_n"};
  sc_core::sc_out<bool> cle{"cle"};
  sc_core::sc_out<bool> ale{"ale"};
  sc_core::sc_out<bool> we_n{"we_n"};  // NV-DDR: CLK
  sc_core::sc_out<bool> re_n{"re_n"};  // NV-DDR: W/R_n
  sc_core::sc_out<bool> wp_n{"wp_n"};
  sc_core::sc_out<sc_dt::sc_uint<8>> dq_out{"dq_out"};
  sc_core::sc_out<bool> dq_enable{"dq_enable"};
  sc_core::sc_out<bool> dqs_out{"dqs_out"};
  sc_core::sc_out<bool> dqs_enable{"dqs_enable"};
  sc_core::sc_in<sc_dt::sc_uint<8>> dq_in{"dq_in"};
  sc_core::sc_in<bool> dqs_in{"dqs_in"};
  sc_core::sc_in<bool> rb_n{"rb_n"};

  JobTargetSocket<NandCommand>& socket() { return port_.socket; }

 private:
  friend class JobTargetPort<NandCommand, OnfiPlayerModule>;

  void start_of_simulation() override;
  void ready_moved();
  void strobe_moved();
  void put(const HostPins& pins, bool dq_driven, bool dqs_driven);

  // Functions that the port calls.
  RequestAnswer request_begins(NandCommand& command, Tick now);
  void response_ended(NandCommand& command, Tick now);
  Tick response_time(const NandCommand& command) const { return command.response_time; }
  unsigned int look_at(tlm::tlm_generic_payload&, NandCommand&) const { return 0; }

  // Functions that the player calls.
  void play(std::vector<Cycle> cycles) override;
  void stop_playing() override;
  void use(TimingMode mode) override { bus_.use(mode); }
  bool pin_ready() const override { return rb_n.read(); }
  void wake(Tick at) override { calendar_.schedule<&OnfiPlayerModule::woken>(at, *this); }
  void end_request(NandCommand& command) override { port_.end_request(command); }
  bool begin_response(NandCommand& command) override { return port_.begin_response(command); }
  void woken() { player_.woken(calendar_.now()); }

  // Functions that the bus and its arbiter call.
  void drive(const HostPins& pins, bool dq_driven, bool dqs_driven) override;
  std::uint8_t sampled_dq() const override { return static_cast<std::uint8_t>(dq_in.read().to_uint()); }
  void advance_after(Tick delay) override;
  void bus_goes_on();
  void turn_comes() override;
  void turn_is_given_up() { player_.played(calendar_.now()); }
  void strobe_seen() { bus_.strobe_seen(); }

  Calendar& calendar_;
  JobTargetPort<NandCommand, OnfiPlayerModule> port_;
  HostBus bus_;
  CommandPlayer player_;
  BusTurns* const turns_;
  std::vector<Cycle> waiting_;  // cycles that wait for the bus
};

}  // namespace nandscape::rtl::onfi
