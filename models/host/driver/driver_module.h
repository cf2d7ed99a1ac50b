// SPDX-License-Identifier: Apache-2.0
// SystemC shell of the driver. It accesses the registers of the device by b_transport.
//
// If the device answers at once, the driver calls it directly. If the device may wait, a thread calls it, one access
// after the other, in the way a processor accesses uncached, strongly ordered memory.
#pragma once

#include <optional>
#include <systemc>
#include <tlm>

#include "core/ring.h"
#include "host/driver/driver.h"
#include "protocol/access_port.h"
#include "protocol/blocking_calls.h"

namespace nandscape::host {

class DriverModule final : public sc_core::sc_module,
                           private tlm::tlm_bw_transport_if<>,
                           private RegisterPort,
                           private BlockingCalls::Client {
 public:
  tlm::tlm_initiator_socket<32> registers{"registers"};

  DriverModule(const sc_core::sc_module_name& name, Calendar& calendar, const DriverParameters& parameters,
               HostMemory& memory);

  Driver& driver() { return driver_; }
  const Driver& driver() const { return driver_; }

 private:
  struct Access {
    tlm::tlm_command command;
    std::uint32_t offset;
    std::uint32_t value;  // the value to write
    Then then;            // for a read: called with the value of the register
  };

  void send_write(std::uint32_t offset, std::uint32_t value) override;
  void read(std::uint32_t offset, Then then) override;
  bool device_is_immediate();
  void transport(tlm::tlm_command command, std::uint32_t offset);
  void prepare(tlm::tlm_command command, std::uint32_t offset);
  void call_next();
  void call_ended(tlm::tlm_generic_payload& payload) override;
  [[noreturn]] void refused() const;

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;  // the driver never calls nb_transport_fw
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::uint32_t value_ = 0;
  tlm::tlm_generic_payload payload_;
  std::optional<bool> device_is_immediate_;  // determined at the first access, because all sockets are bound by then
  BlockingCalls calls_;
  Ring<Access> waiting_;  // accesses that are queued for a device that may wait; the first one is in flight
  Driver driver_;
};

}  // namespace nandscape::host
