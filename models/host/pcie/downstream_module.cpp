// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/downstream_module.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "protocol/direct_link.h"

namespace nandscape::host {

// Reserves time on the link for an access with an answer. Returns when the access reaches the device and when it ends
// for the host. A register read is carried out at `at`, so that it returns the register's current value; only its end
// includes the round trip.
PcieLink::RoundTrip DownstreamModule::book_round_trip(const Payload& payload, Tick at) {
  if (space_ == Space::configuration) {
    const PcieLink::RoundTrip trip = link_.access_configuration(at, payload.is_read());
    return {payload.is_read() ? at : trip.arrival, trip.end};
  }
  return {at, link_.read_register(at, payload.get_data_length())};
}

void DownstreamModule::look_behind() {
  if (out_.size() == 0) {
    throw ProtocolError(std::string(name()) + ": the host sends an access, but no device is bound to the link");
  }
  immediate_ = immediate();
}

bool DownstreamModule::writes_directly() {
  if (space_ == Space::memory && out_.size() != 0) device_ = direct_end<DirectWrites>(out_, calendar_);
  return device_ != nullptr;
}

// A separate function, so that write_doubleword() saves no registers for it.
void DownstreamModule::settle_and_write(std::uint64_t address, std::uint32_t value, Tick at) {
  link_.settle(at);
  write_doubleword(address, value, at);
}

// Schedules the access for a device that may wait. `latest_arrival_` ensures that a read does not overtake earlier
// writes.
Tick DownstreamModule::pass_later(Payload& payload, const PcieLink::RoundTrip& trip) {
  latest_arrival_ = std::max(trip.arrival, latest_arrival_);
  passing_.push_back({&payload, latest_arrival_, std::max(trip.end, latest_arrival_)});
  calendar_.schedule<&DownstreamModule::pass>(latest_arrival_, *this, payload);
  return never;
}

void DownstreamModule::call_ended(Payload& payload) {
  const auto found = std::ranges::find(passing_, &payload, &Passing::payload);
  const Tick end = found->end + (calendar_.now() - found->arrival);
  passing_.erase(found);
  port_.end(payload, end);
}

tlm::tlm_sync_enum DownstreamModule::nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  throw ProtocolError("the device answered an access by phases, but the link called b_transport");
}

}  // namespace nandscape::host
