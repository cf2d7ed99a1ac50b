// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/pcie_link_module.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "protocol/entry_time.h"

namespace nandscape::host {
namespace {

// Attributes of a transfer without the extension.
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
}

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

inline void PcieLinkModule::begin(Payload& trans, const DmaAttributes& attributes) {
  if (trans.is_read()) {
    begin_read(trans, attributes, calendar_.now());
  } else {
    begin_write(trans, attributes, calendar_.now());
  }
}

inline void PcieLinkModule::begin_write(Payload& trans, const DmaAttributes& attributes, Tick now) {
  const Tick arrival = link_.write_upstream(now, trans.get_address(), trans.get_data_length());
  writes_.push({&trans, arrival, attributes.posted, attributes.timing_only});
  if (!attributes.more_follow) calendar_.schedule<&PcieLinkModule::writes_arrive>(arrival, *this);
}

void PcieLinkModule::writes_arrive(std::uint64_t) {
  if (writing_) return;
  while (!writes_.empty() && writes_.front().arrival <= calendar_.now()) {
    const Write& write = writes_.front();
    if (!move_bytes(*write.payload, write.timing_only)) {
      writing_ = true;
      return;
    }
    write_is_there();
  }
  look_at_oldest_read();
}

void PcieLinkModule::write_is_there() {
  const Write write = writes_.front();
  writes_.pop();
  if (write.posted) {
    write.payload->release();
  } else {
    respond(*write.payload);
  }
}

// Called when memory that may wait has finished the access.
void PcieLinkModule::call_ended(Payload& trans) {
  if (trans.is_read()) return respond(trans);
  writing_ = false;
  write_is_there();
  writes_arrive(0);
}

inline void PcieLinkModule::begin_read(Payload& trans, const DmaAttributes& attributes, Tick now) {
  link_.begin_read(now, trans.get_address(), trans.get_data_length(), {&trans, attributes.timing_only});
  look_at_oldest_read();
}

// A read returns no data before the writes ahead of its request have arrived. Packets that the host sends because of
// those writes, such as doorbells, go downstream before the answer. A write is ahead if it arrives before the request.
void PcieLinkModule::look_at_oldest_read() {
  if (looking_ || !link_.reading()) return;
  if (!writes_.empty() && writes_.front().arrival < link_.oldest_read_arrival()) return;
  looking_ = true;
  // The expected end may lie in the past, since memory may have taken longer for an earlier write.
  calendar_.schedule<&PcieLinkModule::read_ends>(std::max(link_.oldest_read_expected(), calendar_.now()), *this);
}

// Answers are sent one after the other, so no two reads end at the same time.
void PcieLinkModule::read_ends(std::uint64_t) {
  if (link_.oldest_read_end(calendar_.now()) <= calendar_.now()) {
    const PcieReadOwner owner = link_.oldest_read_owner();
    link_.end_oldest_read();
    auto& trans = *static_cast<Payload*>(owner.transfer);
    if (move_bytes(trans, owner.timing_only)) respond(trans);
  }
  looking_ = false;
  look_at_oldest_read();
}

void PcieLinkModule::respond(Payload& trans) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = annotated_delay(calendar_);
  const tlm::tlm_sync_enum answer = dma_in->nb_transport_bw(trans, phase, delay);
  const bool ended = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (ended) trans.release();  // otherwise END_RESP releases it
}

inline bool PcieLinkModule::move_bytes(Payload& trans, bool timing_only) {
  if (timing_only) {
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    return true;
  }
  const bool is_access = trans.get_command() != tlm::TLM_IGNORE_COMMAND;
  if (is_access && move_directly(trans)) return true;
  if (!memory_is_immediate_) memory_is_immediate_ = has_immediate_target(dma_out);
  if (!*memory_is_immediate_) {
    memory_calls_.call(trans);
    return false;
  }
  sc_core::sc_time delay = annotated_delay(calendar_);
  dma_out->b_transport(trans, delay);
  return true;
}

inline bool PcieLinkModule::move_directly(Payload& trans) {
  const std::uint64_t address = trans.get_address();
  const std::uint64_t length = trans.get_data_length();
  const Region& region = region_of(trans);
  const bool inside = region.bytes != nullptr && address + length - 1 <= region.end;
  if (!inside || trans.get_byte_enable_ptr() != nullptr || trans.get_streaming_width() < length) return false;
  unsigned char* memory = region.bytes + (address - region.start);
  if (trans.is_read()) {
    std::memcpy(trans.get_data_ptr(), memory, length);
  } else {
    std::memcpy(memory, trans.get_data_ptr(), length);
  }
  trans.set_response_status(tlm::TLM_OK_RESPONSE);
  return true;
}

const PcieLinkModule::Region& PcieLinkModule::ask_for_region(Payload& trans) {
  const std::uint64_t address = trans.get_address();
  Region& region = regions_[(address >> region_shift) % regions_.size()];
  tlm::tlm_dmi dmi;
  const bool granted = dma_out->get_direct_mem_ptr(trans, dmi) && dmi.is_read_write_allowed();
  // A target that refuses may give the range that it refuses. If it gives none, only this address counts as refused.
  region = {dmi.get_start_address(), dmi.get_end_address(), granted ? dmi.get_dmi_ptr() : nullptr};
  if (!granted && dmi.get_start_address() == 0 && dmi.get_end_address() == ~sc_dt::uint64{0}) {
    region.start = region.end = address;
  }
  return region;
}

void PcieLinkModule::DmaFace::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  for (Region& region : module.regions_) {
    if (region.start <= end && region.end >= start) region = {};
  }
}

// Serves a loosely timed device: adds the time of an idle link to the delay and books nothing.
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
