// SPDX-License-Identifier: Apache-2.0
// SystemC shell of the NVMe controller: BAR0 as a target, DMA as an initiator.
#pragma once

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "core/calendar.h"
#include "host/nvme/nvme_controller.h"
#include "host/pcie/dma_attributes.h"
#include "protocol/immediate_target.h"

namespace nandscape::host {

class NvmeModule final : public sc_core::sc_module,
                         public ImmediateTarget,
                         public tlm::tlm_fw_transport_if<>,
                         private tlm::tlm_bw_transport_if<>,
                         private tlm::tlm_mm_interface,
                         private DmaPort {
 public:
  tlm::tlm_target_socket<32> registers{"registers"};
  tlm::tlm_initiator_socket<32> dma{"dma"};

  // `keep_data`: simulation.data is not none.
  NvmeModule(const sc_core::sc_module_name& name, Calendar& calendar, const NvmeParameters& parameters,
             StorageDevice& device, bool keep_data);

  // An access waits only for a process that has gone ahead of SystemC.
  bool immediate() const override { return true; }

  NvmeController& controller() { return controller_; }
  const NvmeController& controller() const { return controller_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  // A payload with what the link and the controller are told about it. Whatever comes back by the sockets and by free()
  // is one of these.
  struct Transfer final : Payload {
    explicit Transfer(tlm::tlm_mm_interface* pool) : Payload(pool) { set_extension(&attributes); }
    ~Transfer() override { clear_extension(&attributes); }
    DmaAttributes attributes;
    DmaTag tag;
    Transfer* next_free = nullptr;
    InlineBytes inline_bytes;
  };

  void b_transport(Payload& trans, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload& trans) override;

  // A doubleword of BAR0.
  void write_register(std::uint32_t offset, const unsigned char* from, Tick at);
  void read_register(std::uint32_t offset, unsigned char* into);

  tlm::tlm_sync_enum nb_transport_bw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(Payload* payload) override;

  void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) override;
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag, bool more_follow) override;
  void write_inline(std::uint64_t address, const InlineBytes& from, std::uint32_t bytes, bool more_follow) override;

  Transfer& take_transfer() {
    if (free_ == nullptr) [[unlikely]]
      make_transfer();
    Transfer& transfer = *free_;
    free_ = transfer.next_free;
    return transfer;
  }
  void make_transfer();
  void send(Transfer& transfer, std::uint64_t address, std::byte* data, std::uint32_t bytes);
  void answered(Transfer& transfer, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay);
  // A transfer is done, in a call that says so; or its response has come, and its end goes back.
  void done(Transfer& transfer);
  void response_came(Transfer& transfer);

  Calendar& calendar_;
  std::vector<std::unique_ptr<Transfer>> transfers_;
  Transfer* free_ = nullptr;
  std::vector<std::byte> no_data_;  // what payloads point to that only take time
  NvmeController controller_;
};

}  // namespace nandscape::host
