// SPDX-License-Identifier: Apache-2.0
// The functions of a host's processor that a driver needs: register accesses over a socket, and simulated time. There
// is a class for each of the two TLM-2.0 coding styles. All calls must come from one SC_THREAD of the driver.
//
// A write lasts until it arrives at the device; a read lasts for the round trip. TLM-2.0 lets a request begin only
// after the previous request has ended.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include <tlm_utils/tlm_quantumkeeper.h>  // needs the headers included above

class Processor : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  explicit Processor(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }

  tlm::tlm_initiator_socket<32> socket{"socket"};

  // Reads or writes a register of 4 or 8 bytes.
  std::uint64_t read(std::uint32_t offset, std::uint32_t bytes);
  void write(std::uint32_t offset, std::uint64_t value, std::uint32_t bytes);

  // Advances the processor's time by `time`, which the driver's software spends on computation.
  virtual void spend(const sc_core::sc_time& time) = 0;
  // Returns the processor's time. If the processor is loosely timed, this is ahead of SystemC's time.
  virtual sc_core::sc_time now() const = 0;
  // Waits until SystemC's time has reached the processor's time.
  virtual void synchronise() = 0;

 protected:
  using Payload = tlm::tlm_generic_payload;

  virtual void access(std::uint32_t offset, std::uint32_t bytes, unsigned char* data, tlm::tlm_command command) = 0;
  static void fill(Payload& payload, std::uint32_t offset, std::uint32_t bytes, unsigned char* data,
                   tlm::tlm_command command);
  // Throws nandscape::ProtocolError, with the address, if the device has not performed the access.
  static void check(const Payload& payload);

  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

// Approximately timed: makes nb_transport calls, always at SystemC's time.
class ApproximatelyTimed final : public Processor, private tlm::tlm_mm_interface {
 public:
  using Processor::Processor;

  void spend(const sc_core::sc_time& time) override { wait(time); }
  sc_core::sc_time now() const override { return sc_core::sc_time_stamp(); }
  void synchronise() override {}

 private:
  void access(std::uint32_t offset, std::uint32_t bytes, unsigned char* data, tlm::tlm_command command) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void free(Payload*) override {}

  Payload payload_{this};
  sc_core::sc_event response_;
};

// Loosely timed: makes b_transport calls, and may run ahead of SystemC by up to the global quantum.
class LooselyTimed final : public Processor {
 public:
  explicit LooselyTimed(sc_core::sc_module_name name) : Processor(name) { keeper_.reset(); }

  void spend(const sc_core::sc_time& time) override;
  sc_core::sc_time now() const override { return keeper_.get_current_time(); }
  void synchronise() override { keeper_.sync(); }

 private:
  void access(std::uint32_t offset, std::uint32_t bytes, unsigned char* data, tlm::tlm_command command) override;

  tlm_utils::tlm_quantumkeeper keeper_;
};
