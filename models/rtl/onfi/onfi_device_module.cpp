// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/onfi_device_module.h"

#include "rtl/onfi/pin_time.h"

namespace nandscape::rtl::onfi {

namespace {

// Packs the pins into an integer, which is passed as the argument of a calendar event.
std::uint64_t packed(const HostPins& p) {
  return std::uint64_t{p.dq} | std::uint64_t{p.ce_n} << 8 | std::uint64_t{p.cle} << 9 | std::uint64_t{p.ale} << 10 |
         std::uint64_t{p.we_n} << 11 | std::uint64_t{p.re_n} << 12 | std::uint64_t{p.wp_n} << 13 |
         std::uint64_t{p.dqs} << 14;
}

HostPins host_pins(std::uint64_t bits) {
  const auto bit = [bits](unsigned k) { return (bits >> k & 1) != 0; };
  return {.ce_n = bit(8),
          .cle = bit(9),
          .ale = bit(10),
          .we_n = bit(11),
          .re_n = bit(12),
          .wp_n = bit(13),
          .dqs = bit(14),
          .dq = static_cast<std::uint8_t>(bits & 0xff)};
}

}  // namespace

OnfiDeviceModule::OnfiDeviceModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry,
                                   std::uint32_t read_levels, OnViolation on_violation)
    : sc_module(name),
      calendar_(calendar),
      violations_(this->name(), on_violation),
      port_("die_socket", calendar, *this),
      unit_(geometry, read_levels, violations_, *this),
      bus_(unit_, violations_, *this) {
  SC_HAS_PROCESS(OnfiDeviceModule);
  SC_METHOD(sample);
  sensitive << ce_n << cle << ale << we_n << re_n << wp_n << dq_in << dqs_in;
  dont_initialize();
}

void OnfiDeviceModule::start_of_simulation() {
  rb_n.write(true);
  dq_enable.write(false);
  dqs_enable.write(false);
  calendar_.schedule<&OnfiDeviceModule::pins_moved>(pin_time(calendar_), *this, packed({.wp_n = wp_n.read()}));
}

// The new levels are handled in an event of the calendar, because commands may be sent only in an event.
void OnfiDeviceModule::sample() {
  const HostPins pins{.ce_n = ce_n.read(),
                      .cle = cle.read(),
                      .ale = ale.read(),
                      .we_n = we_n.read(),
                      .re_n = re_n.read(),
                      .wp_n = wp_n.read(),
                      .dqs = dqs_in.read(),
                      .dq = static_cast<std::uint8_t>(dq_in.read().to_uint())};
  calendar_.schedule<&OnfiDeviceModule::pins_moved>(pin_time(calendar_), *this, packed(pins));
}

void OnfiDeviceModule::pins_moved(std::uint64_t pins) {
  check_pin_time(calendar_, name());
  bus_.pins_moved(host_pins(pins), calendar_.now());
  update_ready();
}

void OnfiDeviceModule::drive(Tick at, const TargetPins& pins) {
  calendar_.schedule<&OnfiDeviceModule::drive_pins>(at, *this, onfi::packed(pins));
}

// Changes that are still scheduled when CE_n rises have no effect.
void OnfiDeviceModule::drive_pins(std::uint64_t bits) {
  check_pin_time(calendar_, name());
  const TargetPins pins = bus_.selected() ? unpacked(bits) : TargetPins{};
  dq_out.write(pins.dq);
  dq_enable.write(pins.dq_enable);
  dqs_out.write(pins.dqs);
  dqs_enable.write(pins.dqs_enable);
}

void OnfiDeviceModule::release_at(Tick at) { calendar_.schedule<&OnfiDeviceModule::release_pins>(at, *this); }

void OnfiDeviceModule::release_pins() { bus_.release(calendar_.now()); }

void OnfiDeviceModule::update_ready() {
  if (unit_.ready() == was_ready_) return;
  check_pin_time(calendar_, name());
  was_ready_ = unit_.ready();
  if (was_ready_) bus_.became_ready(calendar_.now());
  rb_n.write(was_ready_);
}

void OnfiDeviceModule::wake(Tick at) { calendar_.schedule<&OnfiDeviceModule::woken>(at, *this); }

void OnfiDeviceModule::woken() {
  send_next();
  unit_.woken(calendar_.now());
  update_ready();
}

void OnfiDeviceModule::begin_request(NandCommand& command) {
  to_send_.push_back(&command);
  if (to_send_.size() == 1 && !port_.requesting()) send_next();
}

void OnfiDeviceModule::send_next() {
  while (!to_send_.empty() && !port_.requesting()) {
    NandCommand& command = *to_send_.front();
    to_send_.pop_front();
    command.payload = &payloads_.acquire(command);
    port_.begin_request(command);
  }
}

void OnfiDeviceModule::end_response(NandCommand& command) { port_.end_response(command); }

void OnfiDeviceModule::request_ended(NandCommand& command, Tick now) {
  unit_.request_ended(command, now);
  // The next command is sent in a separate event, after this call has ended.
  if (!to_send_.empty()) wake(now);
}

bool OnfiDeviceModule::response_begins(NandCommand& command, Tick now) {
  const bool over = unit_.response_begins(command, now);
  update_ready();
  return over;
}

void OnfiDeviceModule::job_over(tlm::tlm_generic_payload& payload) {
  unit_.job_over(job_of<NandCommand>(payload));
  payload.release();
}

}  // namespace nandscape::rtl::onfi
