// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/pcie_link_module.h"

#include "core/error.h"
#include "protocol/direct_link.h"
#include "protocol/entry_time.h"

namespace nandscape::host {
namespace {

// The attributes of a transfer that has no DmaAttributes extension.
const DmaAttributes ordinary;

const DmaAttributes& attributes_of(const tlm::tlm_generic_payload& trans) {
  const auto* given = trans.get_extension<DmaAttributes>();
  return given == nullptr ? ordinary : *given;
}

}  // namespace

PcieLinkModule::PcieLinkModule(const sc_core::sc_module_name& name, Calendar& calendar,
                               const PcieLinkParameters& parameters)
    : sc_module(name),
      calendar_(calendar),
      link_(parameters),
      registers_("registers", calendar, link_, DownstreamModule::Space::memory, registers_in, registers_out),
      configuration_("configuration", calendar, link_, DownstreamModule::Space::configuration, configuration_in,
                     configuration_out),
      memory_calls_("memory_calls", calendar, dma_out, *this) {
  dma_in.bind(dma_face_);
  dma_out.bind(dma_face_);
  payload_.set_extension(&attributes_);
}

PcieLinkModule::~PcieLinkModule() { payload_.clear_extension(&attributes_); }

// ---- DMA

tlm::tlm_sync_enum PcieLinkModule::DmaFace::nb_transport_fw(Payload& trans, tlm::tlm_phase& phase,
                                                            sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) [[unlikely]] {
    if (phase != tlm::END_RESP) refuse_phase(phase, module.dma_in.name());
    trans.release();
    return tlm::TLM_COMPLETED;
  }
  trans.acquire();
  const DmaAttributes& attributes = attributes_of(trans);
  if (at_present(module.calendar_, delay)) {
    module.begin(trans, attributes);
  } else {
    const Tick at = entry_time(module.calendar_, delay, module.dma_in.name());
    module.calendar_.schedule<&PcieLinkModule::request_came>(at, module, trans);
  }
  if (attributes.posted && !trans.is_read()) {
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void PcieLinkModule::request_came(Payload& trans) { begin(trans, attributes_of(trans)); }

void PcieLinkModule::begin(Payload& trans, const DmaAttributes& attributes) {
  const bool whole = trans.get_byte_enable_ptr() == nullptr && trans.get_streaming_width() >= trans.get_data_length();
  DmaTransfer& transfer =
      trans.is_read() ? transfers_.begin_read(trans.get_address(), trans.get_data_length())
                      : transfers_.begin_write(trans.get_address(), trans.get_data_length(), attributes.more_follow);
  transfer.data = attributes.timing_only ? nullptr : reinterpret_cast<std::byte*>(trans.get_data_ptr());
  transfer.plain = whole && trans.get_command() != tlm::TLM_IGNORE_COMMAND;
  transfer.payload = &trans;
}

// Called when memory that may wait has finished an access. Answers a read, or reports that a write has been moved.
void PcieLinkModule::call_ended(Payload& trans) {
  if (trans.is_read()) return respond(trans);
  transfers_.write_moved();
}

void PcieLinkModule::ended(DmaTransfer& transfer) {
  Payload& trans = *transfer.payload;
  if (!transfer.moved_by_host) trans.set_response_status(tlm::TLM_OK_RESPONSE);
  if (transfer.read || !attributes_of(trans).posted) return respond(trans);
  trans.release();
}

void PcieLinkModule::respond(Payload& trans) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = annotated_delay(calendar_);
  const tlm::tlm_sync_enum answer = dma_in->nb_transport_bw(trans, phase, delay);
  const bool ended = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (ended) trans.release();  // otherwise END_RESP releases it
}

// ---- Host memory

bool PcieLinkModule::memory_is_immediate() {
  if (!memory_is_immediate_) memory_is_immediate_ = has_immediate_target(dma_out);
  return *memory_is_immediate_;
}

DmaTransfers* PcieLinkModule::DmaFace::connect(const Calendar& calendar, DmaClient& client) {
  if (&calendar != &module.calendar_ || !module.memory_is_immediate()) return nullptr;
  module.transfers_.connect(client, direct_end<DirectInterrupts>(module.dma_out, calendar));
  return &module.transfers_;
}

PcieLinkModule::Payload& PcieLinkModule::payload_of(DmaTransfer& transfer) {
  if (transfer.payload != nullptr) return *transfer.payload;
  const bool line =
      transfer.interrupt == DmaInterrupt::line_asserted || transfer.interrupt == DmaInterrupt::line_deasserted;
  payload_.set_command(line ? tlm::TLM_IGNORE_COMMAND : transfer.read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
  payload_.set_address(transfer.address);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(transfer.data));
  payload_.set_data_length(transfer.bytes);
  payload_.set_streaming_width(transfer.bytes);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  attributes_.posted = !transfer.read;
  attributes_.interrupt = transfer.interrupt;
  return payload_;
}

bool PcieLinkModule::move(DmaTransfer& transfer) {
  Payload& trans = payload_of(transfer);
  if (!memory_is_immediate()) {
    memory_calls_.call(trans);
    return false;
  }
  sc_core::sc_time delay = annotated_delay(calendar_);
  dma_out->b_transport(trans, delay);
  transfer.moved_by_host = true;
  transfer.ok = trans.is_response_ok();
  return true;
}

DmaTransfers::Region PcieLinkModule::region_of(DmaTransfer& transfer) {
  Payload& trans = payload_of(transfer);
  tlm::tlm_dmi dmi;
  const bool granted = dma_out->get_direct_mem_ptr(trans, dmi) && dmi.is_read_write_allowed();
  // A target that refuses DMI may report the range for which it refuses. If it reports no range, only this address is
  // treated as refused.
  if (!granted && dmi.get_start_address() == 0 && dmi.get_end_address() == ~sc_dt::uint64{0}) {
    return {transfer.address, transfer.address, nullptr};
  }
  return {dmi.get_start_address(), dmi.get_end_address(),
          granted ? reinterpret_cast<std::byte*>(dmi.get_dmi_ptr()) : nullptr};
}

void PcieLinkModule::DmaFace::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  module.transfers_.invalidate(start, end);
}

// Serves a loosely timed device: adds the time that the transfer needs on an idle link to the delay, and reserves no
// time on the link.
void PcieLinkModule::DmaFace::b_transport(Payload& trans, sc_core::sc_time& delay) {
  const PcieLink& link = module.link_;
  const std::uint64_t address = trans.get_address();
  const std::uint32_t bytes = trans.get_data_length();
  if (trans.is_read()) {
    delay += to_sc_time(link.serialisation(link.read_request_burst(address, 1).wire_bytes) + link.propagation() +
                        link.serialisation(link.read_answer_burst(address, bytes).wire_bytes) + link.propagation());
  } else {
    delay += to_sc_time(link.serialisation(link.write_burst(address, bytes).wire_bytes) + link.propagation());
  }
  module.dma_out->b_transport(trans, delay);
}

tlm::tlm_sync_enum PcieLinkModule::DmaFace::nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  throw ProtocolError("host memory answered by phases, but the link called b_transport");
}

}  // namespace nandscape::host
