// SPDX-License-Identifier: Apache-2.0
// Carries accesses to registers or to configuration space through the link, from the host to the device.
//
// If the device answers at once, it is called when the access enters the link, with the time until the arrival as the
// delay. If the device may wait, a thread calls it when the access arrives, and the time that the device needs is
// added.
#pragma once

#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "core/calendar.h"
#include "host/pcie/pcie_link.h"
#include "protocol/access_port.h"
#include "protocol/blocking_calls.h"
#include "protocol/simulated_time.h"

namespace nandscape::host {

class DownstreamModule final : public sc_core::sc_module,
                               private BlockingCalls::Client,
                               private tlm::tlm_bw_transport_if<> {
 public:
  enum class Space : std::uint8_t { memory, configuration };

  // Connects a target socket of the link to an initiator socket of the link. `space` states which accesses the sockets
  // carry.
  template <class In, class Out>
  DownstreamModule(const sc_core::sc_module_name& name, Calendar& calendar, PcieLink& link, Space space, In& in,
                   Out& out)
      : sc_module(name),
        calendar_(calendar),
        link_(link),
        space_(space),
        out_(out),
        port_(in, calendar, *this),
        calls_("calls", calendar, out, *this) {
    out.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

 private:
  friend class AccessPort<DownstreamModule>;
  using Payload = tlm::tlm_generic_payload;

  // An access that is on its way to a device that may wait, or in progress there.
  struct Passing {
    Payload* payload;
    Tick arrival;
    Tick end;  // when the access would end at the host if the device needed no time
  };

  // The functions that AccessPort calls in its owner, described in access_port.h.
  Tick access(Payload& payload, Tick at) {
    if (!immediate_) [[unlikely]]
      look_behind();
    const PcieLink::RoundTrip trip = book(payload, at);
    if (!*immediate_) [[unlikely]]
      return pass_later(payload, trip);
    const Tick from = kernel_time(calendar_);
    sc_core::sc_time delay = to_sc_time(trip.arrival - from);
    out_->b_transport(payload, delay);
    return trip.end + (from + to_ticks(delay) - trip.arrival);
  }
  unsigned int look_at(Payload& payload) { return out_->transport_dbg(payload); }
  bool immediate() const { return has_immediate_target(out_); }
  bool writes_directly();
  void write_doubleword(std::uint64_t address, std::uint32_t value, Tick at) {
    if (link_.answers_due(at)) [[unlikely]]
      return settle_and_write(address, value, at);
    device_->write_doubleword(address, value, link_.write_downstream(at, sizeof value));
  }
  void settle_and_write(std::uint64_t address, std::uint32_t value, Tick at);

  // Determines whether the bound device answers at once. Throws ProtocolError if no device is bound.
  void look_behind();
  // Reserves time on the link for the access. Returns the tick at which it reaches the device and the tick at which it
  // ends for the host.
  PcieLink::RoundTrip book(const Payload& payload, Tick at) {
    if (space_ != Space::memory || payload.is_read()) [[unlikely]]
      return book_round_trip(payload, at);
    const Tick arrival = link_.write_downstream(at, payload.get_data_length());
    return {arrival, arrival};
  }
  PcieLink::RoundTrip book_round_trip(const Payload& payload, Tick at);
  Tick pass_later(Payload& payload, const PcieLink::RoundTrip& trip);
  void pass(Payload& payload) { calls_.call(payload); }
  void call_ended(Payload& payload) override;

  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  Calendar& calendar_;
  PcieLink& link_;
  const Space space_;
  BlockingCalls::Socket& out_;
  DirectWrites* device_ = nullptr;  // set if doubleword writes to memory space can call the device directly
  AccessPort<DownstreamModule> port_;
  BlockingCalls calls_;
  std::optional<bool> immediate_;  // determined at the first access, because tests run without SystemC's kernel
  std::vector<Passing> passing_;
  Tick latest_arrival_ = 0;  // latest arrival of an access at a device that may wait
};

}  // namespace nandscape::host
