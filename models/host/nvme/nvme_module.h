// SPDX-License-Identifier: Apache-2.0
// SystemC shell of the NVMe function. Configuration space and BAR0 are target sockets; DMA and interrupts share an
// initiator socket. The configuration socket may stay unbound if the driver of the platform does not use configuration
// space.
#pragma once

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "core/calendar.h"
#include "core/ring.h"
#include "host/nvme/nvme_function.h"
#include "host/pcie/dma_attributes.h"
#include "protocol/access_port.h"

namespace nandscape::host {

class NvmeModule final : public sc_core::sc_module,
                         private tlm::tlm_bw_transport_if<>,
                         private tlm::tlm_mm_interface,
                         private DmaPort {
 public:
  tlm::tlm_target_socket<32> registers{"registers"};  // BAR0
  tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> configuration{
      "configuration"};
  tlm::tlm_initiator_socket<32> dma{"dma"};

  // `keep_data` is false if simulation.data is `none`. `link` contains the link properties that configuration space
  // reports.
  NvmeModule(const sc_core::sc_module_name& name, Calendar& calendar, const NvmeParameters& parameters,
             StorageDevice& device, bool keep_data, const PcieLinkParameters& link = {},
             PciStart start = PciStart::enabled);
  // The constructor and the destructor are defined in the .cpp file, so that the code of the ports is compiled there,
  // where it can inline the functions that it calls.
  ~NvmeModule() override;

  NvmeController& controller() { return function_.controller(); }
  const NvmeController& controller() const { return function_.controller(); }

 private:
  using Payload = tlm::tlm_generic_payload;

  // A payload together with its attributes for the link and its tag for the controller. Every payload that returns by
  // the socket or by free() is a Transfer, so a static_cast is safe.
  struct Transfer final : Payload {
    explicit Transfer(tlm::tlm_mm_interface* pool) : Payload(pool) { set_extension(&attributes); }
    ~Transfer() override { clear_extension(&attributes); }
    DmaAttributes attributes;
    DmaTag tag;
    Transfer* next_free = nullptr;
    InlineBytes inline_bytes;
  };

  struct Registers final {
    explicit Registers(NvmeModule& m) : module(m) {}
    Tick access(Payload& payload, Tick at);
    unsigned int look_at(Payload& payload);
    bool immediate() const { return true; }
    bool writes_directly() const { return true; }
    void write_doubleword(std::uint64_t address, std::uint32_t value, Tick at);
    // Writes a doubleword of any register, while BAR0 may be disabled.
    [[gnu::noinline]] void write_register(std::uint64_t address, std::uint32_t value, Tick at);
    NvmeModule& module;
  };
  struct Configuration final {
    explicit Configuration(NvmeModule& m) : module(m) {}
    Tick access(Payload& payload, Tick at);
    unsigned int look_at(Payload& payload);
    bool immediate() const { return true; }
    bool writes_directly() const { return false; }
    void write_doubleword(std::uint64_t, std::uint32_t, Tick) {}  // not called, see writes_directly()
    NvmeModule& module;
  };

  // Checks whether the DMA socket is bound to a link that can be called directly (DirectDma).
  void end_of_elaboration() override;

  tlm::tlm_sync_enum nb_transport_bw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(Payload* payload) override;

  void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) override;
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag, bool more_follow) override;
  void write_inline(std::uint64_t address, InlineBytes from) override { send_inline(address, from, false); }
  void send_message(DmaMessage message) override;
  void write_and_interrupt(std::uint64_t address, InlineBytes from, DmaMessage message) override {
    send_inline(address, from, true);
    send_message(message);
  }
  void set_interrupt_line(bool asserted) override;

  // Returns a free transfer with the given properties. It is posted unless the caller changes its attributes.
  Transfer& prepare(tlm::tlm_command command, DmaTag tag, bool more_follow);
  // Ends a transfer without sending it, because Bus Master Enable is clear. A write is lost, and a read fails.
  void lose(Transfer& transfer);
  void send(Transfer& transfer, std::uint64_t address, std::byte* data, std::uint32_t bytes);
  void send_inline(std::uint64_t address, const InlineBytes& from, bool more_follow);
  // Sends BEGIN_REQ of a transfer. Only one request may be on the socket at a time; the link normally ends a request
  // within the call.
  void begin_request(Transfer& transfer);
  void request_ends(Transfer& transfer, Tick at);
  void request_ended(Transfer& transfer) {
    if (requesting_ != &transfer) return;
    requesting_ = nullptr;
    if (!waiting_.empty()) [[unlikely]]
      send_waiting();
  }
  void send_waiting();
  void answered(Transfer& transfer, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay);
  // done() ends a transfer. response_came() sends END_RESP and then ends the transfer.
  void done(Transfer& transfer);
  void response_came(Transfer& transfer);

  Calendar& calendar_;
  std::vector<std::unique_ptr<Transfer>> transfers_;
  Transfer* free_ = nullptr;
  Transfer* requesting_ = nullptr;  // the transfer whose request the link has not ended
  Ring<Transfer*> waiting_;         // transfers that wait until the request of `requesting_` ends
  std::vector<std::byte> no_data_;  // dummy data of payloads that model only the time of a transfer
  NvmeFunction function_;
  Registers register_face_{*this};
  Configuration configuration_face_{*this};
  AccessPort<Registers> register_port_;
  AccessPort<Configuration> configuration_port_;
};

}  // namespace nandscape::host
