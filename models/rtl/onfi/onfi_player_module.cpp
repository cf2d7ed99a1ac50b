// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/onfi_player_module.h"

#include <limits>
#include <string>
#include <utility>

#include "core/error.h"
#include "rtl/onfi/pin_time.h"

namespace nandscape::rtl::onfi {

namespace {

const PlayerSettings& checked(const PlayerSettings& settings, const std::string& player) {
  if (settings.timing.mode < timing_modes && settings.timing.interface <= Interface::nv_ddr) return settings;
  throw ConfigError(
      {}, player,
      "there is no timing mode " + std::to_string(settings.timing.mode) + "; SDR and NV-DDR have the modes 0 to 5");
}

}  // namespace

channel::ChannelParameters channel_without_bus_time(const channel::ChannelParameters& parameters) {
  channel::ChannelParameters without = parameters;
  without.rate_mt_s = std::numeric_limits<std::uint32_t>::max();
  without.t_cycle_ns = without.t_wb_ns = without.t_rr_ns = without.t_adl_ns = without.t_whr_ns = 0;
  without.t_preamble_ns = without.t_postamble_ns = without.t_dbsy_ns = 0;
  return without;
}

OnfiPlayerModule::OnfiPlayerModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry,
                                   const PlayerSettings& settings, BusTurns* turns)
    : sc_module(name),
      calendar_(calendar),
      port_("socket", calendar, *this),
      bus_(*this),
      player_(this->name(), geometry, checked(settings, this->name()), *this),
      turns_(turns) {
  SC_HAS_PROCESS(OnfiPlayerModule);
  SC_METHOD(ready_moved);
  sensitive << rb_n;
  dont_initialize();
  SC_METHOD(strobe_moved);
  sensitive << dqs_in;
  dont_initialize();
}

void OnfiPlayerModule::start_of_simulation() {
  wp_n.write(true);
  put({}, false, false);
}

// A change of R/B_n is handled in an event of the calendar, because a response may begin only in an event.
void OnfiPlayerModule::ready_moved() { wake(pin_time(calendar_)); }

void OnfiPlayerModule::strobe_moved() {
  const Tick seen = pin_time(calendar_) + bus_.quarter_clock();
  calendar_.schedule<&OnfiPlayerModule::strobe_seen>(seen, *this);
}

RequestAnswer OnfiPlayerModule::request_begins(NandCommand& command, Tick now) {
  player_.request_begins(command, now);
  return is_cache_read(command) ? RequestAnswer::ended : RequestAnswer::later;
}

void OnfiPlayerModule::response_ended(NandCommand&, Tick now) { player_.response_ended(now); }

void OnfiPlayerModule::drive(const HostPins& pins, bool dq_driven, bool dqs_driven) {
  check_pin_time(calendar_, name());
  put(pins, dq_driven, dqs_driven);
}

void OnfiPlayerModule::put(const HostPins& pins, bool dq_driven, bool dqs_driven) {
  ce_n.write(pins.ce_n);
  cle.write(pins.cle);
  ale.write(pins.ale);
  we_n.write(pins.we_n);
  re_n.write(pins.re_n);
  dq_out.write(pins.dq);
  dqs_out.write(pins.dqs);
  dq_enable.write(dq_driven);
  dqs_enable.write(dqs_driven);
}

void OnfiPlayerModule::advance_after(Tick delay) {
  calendar_.schedule<&OnfiPlayerModule::bus_goes_on>(calendar_.now() + delay, *this);
}

void OnfiPlayerModule::play(std::vector<Cycle> cycles) {
  if (turns_ == nullptr || turns_->take(*this)) return bus_.play(std::move(cycles));
  waiting_ = std::move(cycles);
}

void OnfiPlayerModule::turn_comes() { bus_.play(std::exchange(waiting_, {})); }

void OnfiPlayerModule::stop_playing() {
  if (waiting_.empty()) return bus_.stop();
  turns_->withdraw(*this);
  waiting_.clear();
  calendar_.schedule<&OnfiPlayerModule::turn_is_given_up>(calendar_.now(), *this);
}

void OnfiPlayerModule::bus_goes_on() {
  if (!bus_.advance()) return;
  if (turns_ != nullptr) turns_->give_back();
  player_.played(calendar_.now());
}

}  // namespace nandscape::rtl::onfi
