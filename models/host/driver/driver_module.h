// SPDX-License-Identifier: Apache-2.0
// SystemC shell of the driver: its register accesses leave as b_transport.
#pragma once

#include <systemc>
#include <tlm>

#include "core/calendar.h"
#include "host/driver/driver.h"

namespace nandscape::host {

class DriverModule final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<>, private RegisterPort {
 public:
  tlm::tlm_initiator_socket<32> registers{"registers"};

  DriverModule(const sc_core::sc_module_name& name, Calendar& calendar, const DriverParameters& parameters,
               HostMemory& memory);

  Driver& driver() { return driver_; }
  const Driver& driver() const { return driver_; }

 private:
  void write(std::uint32_t offset, std::uint32_t value) override;
  std::uint32_t read(std::uint32_t offset) override;
  void start_of_simulation() override;
  void transport(tlm::tlm_command command, std::uint32_t offset);
  [[noreturn]] void refused() const;

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;  // nothing was asked for by phases
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  Calendar& calendar_;
  std::uint32_t value_ = 0;
  tlm::tlm_generic_payload payload_;
  Driver driver_;
};

}  // namespace nandscape::host
