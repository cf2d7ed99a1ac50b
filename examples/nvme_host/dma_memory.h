// SPDX-License-Identifier: Apache-2.0
// The host's memory, as devices access it: some megabytes above 4 GiB, and below 4 GiB the window for interrupts
// (MSI-X). It is an immediate target: its calls never wait, so the link may call it from any process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <systemc>
#include <tlm>
#include <vector>

#include "protocol/immediate_target.h"

class DmaMemory final : public sc_core::sc_module,
                        public nandscape::ImmediateTarget,
                        public tlm::tlm_fw_transport_if<> {
 public:
  static constexpr std::uint64_t base = std::uint64_t{4} << 30;
  static constexpr std::uint64_t interrupt_window = 0xfee0'0000;

  DmaMemory(sc_core::sc_module_name name, std::size_t bytes);

  tlm::tlm_target_socket<32> socket{"socket"};
  bool immediate() const override { return true; }

  // Returns a pointer to the byte at `address`, for accesses of the processor itself.
  std::byte* at(std::uint64_t address) { return bytes_.data() + (address - base); }
  std::uint64_t reserve_pages(std::uint32_t count);

  // An interrupt that a device has written to the interrupt window.
  struct Interrupt {
    std::uint32_t message;
    sc_core::sc_time at;
  };
  // Removes and returns the oldest interrupt. Waits if there is none, so the caller must be an SC_THREAD.
  Interrupt next_interrupt();

 private:
  using Payload = tlm::tlm_generic_payload;

  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload& payload) override;

  bool inside(const Payload& payload) const;
  void move(Payload& payload);

  std::vector<std::byte> bytes_;
  std::uint64_t reserved_ = base;
  std::deque<Interrupt> interrupts_;
  sc_core::sc_event interrupted_;
};
