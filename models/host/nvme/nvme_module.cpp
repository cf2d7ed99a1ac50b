// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/nvme_module.h"

#include <cstring>

#include "protocol/entry_time.h"

namespace nandscape::host {

NvmeModule::NvmeModule(const sc_core::sc_module_name& name, Calendar& calendar, const NvmeParameters& parameters,
                       StorageDevice& device, bool keep_data)
    : sc_module(name),
      calendar_(calendar),
      no_data_(device.page_bytes()),
      controller_(calendar, parameters, device, *this, keep_data) {
  registers.bind(*this);
  dma.bind(*this);
}

// ---- BAR0
// ------------------------------------------------------------------------------------------------------------

void NvmeModule::b_transport(Payload& trans, sc_core::sc_time& delay) {
  const std::uint64_t address = trans.get_address();
  const std::uint32_t length = trans.get_data_length();
  if (trans.get_byte_enable_ptr() != nullptr) {
    trans.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  if ((length != 4 && length != 8) || trans.get_streaming_width() < length) {
    trans.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if ((address & (length - 1)) != 0 || address + length > nvme::reg::bar_bytes) {
    trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const auto offset = static_cast<std::uint32_t>(address);
  if (trans.is_write()) {
    const Tick at = time_of_call(calendar_, delay, registers.name());
    write_register(offset, trans.get_data_ptr(), at);
    if (length == 8) write_register(offset + 4, trans.get_data_ptr() + 4, at);
  } else if (trans.is_read()) {
    // The value is that of the time of the access: a process that has gone ahead of SystemC waits until then.
    if (delay != sc_core::SC_ZERO_TIME && in_waiting_process()) {
      wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    read_register(offset, trans.get_data_ptr());
    if (length == 8) read_register(offset + 4, trans.get_data_ptr() + 4);
  }
  trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

void NvmeModule::write_register(std::uint32_t offset, const unsigned char* from, Tick at) {
  std::uint32_t value = 0;
  std::memcpy(&value, from, sizeof value);
  controller_.write_register(offset, value, at);
}

void NvmeModule::read_register(std::uint32_t offset, unsigned char* into) {
  const std::uint32_t value = controller_.read_register(offset);
  std::memcpy(into, &value, sizeof value);
}

tlm::tlm_sync_enum NvmeModule::nb_transport_fw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) refuse_phase(phase, registers.name());
  b_transport(trans, delay);
  return tlm::TLM_COMPLETED;
}

unsigned int NvmeModule::transport_dbg(Payload& trans) {
  const std::uint64_t address = trans.get_address();
  if (!trans.is_read() || address % 4 != 0) return 0;  // every write has an effect
  std::uint32_t done = 0;
  while (done + 4 <= trans.get_data_length() && address + done < nvme::reg::bar_bytes) {
    const std::uint32_t value = controller_.peek_register(static_cast<std::uint32_t>(address) + done);
    std::memcpy(trans.get_data_ptr() + done, &value, sizeof value);
    done += 4;
  }
  return done;
}

// ---- DMA
// -------------------------------------------------------------------------------------------------------------

void NvmeModule::make_transfer() {
  free_ = transfers_.emplace_back(std::make_unique<Transfer>(static_cast<tlm::tlm_mm_interface*>(this))).get();
}

void NvmeModule::read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) {
  Transfer& transfer = take_transfer();
  transfer.set_read();
  transfer.tag = tag;
  transfer.attributes.posted = false;
  transfer.attributes.more_follow = false;
  send(transfer, address, into, bytes);
}

void NvmeModule::write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag,
                       bool more_follow) {
  Transfer& transfer = take_transfer();
  transfer.set_write();
  transfer.tag = tag;
  transfer.attributes.posted = true;
  transfer.attributes.more_follow = more_follow;
  // A generic payload knows no data that are only read; a write leaves them as they are.
  send(transfer, address, const_cast<std::byte*>(from), bytes);
}

void NvmeModule::write_inline(std::uint64_t address, const InlineBytes& from, std::uint32_t bytes, bool more_follow) {
  Transfer& transfer = take_transfer();
  transfer.set_write();
  transfer.inline_bytes = from;
  transfer.tag = {};
  transfer.attributes.posted = true;
  transfer.attributes.more_follow = more_follow;
  send(transfer, address, transfer.inline_bytes.data(), bytes);
}

inline void NvmeModule::send(Transfer& transfer, std::uint64_t address, std::byte* data, std::uint32_t bytes) {
  transfer.attributes.timing_only = data == nullptr;
  transfer.set_address(address);
  transfer.set_data_ptr(reinterpret_cast<unsigned char*>(data == nullptr ? no_data_.data() : data));
  transfer.set_data_length(bytes);
  transfer.set_streaming_width(bytes);
  transfer.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  transfer.acquire();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = annotated_delay(calendar_);
  const tlm::tlm_sync_enum status = dma->nb_transport_fw(transfer, phase, delay);
  if (status == tlm::TLM_COMPLETED && transfer.attributes.posted) {
    transfer.release();
  } else if (status != tlm::TLM_ACCEPTED) {
    answered(transfer, status, phase, delay);
  }
}

void NvmeModule::answered(Transfer& transfer, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                          const sc_core::sc_time& delay) {
  const Tick at = time_of_call(calendar_, delay, dma.name());
  if (status == tlm::TLM_COMPLETED) {
    calendar_.schedule<&NvmeModule::done>(at, *this, transfer);
  } else if (phase == tlm::BEGIN_RESP) {
    calendar_.schedule<&NvmeModule::response_came>(at, *this, transfer);
  } else if (phase != tlm::END_REQ) {  // after which requests follow one another anyway
    refuse_phase(phase, dma.name());
  }
}

tlm::tlm_sync_enum NvmeModule::nb_transport_bw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  if (phase != tlm::BEGIN_RESP) refuse_phase(phase, dma.name());
  auto& transfer = static_cast<Transfer&>(trans);
  if (at_present(calendar_, delay)) {
    done(transfer);
    return tlm::TLM_COMPLETED;
  }
  calendar_.schedule<&NvmeModule::response_came>(entry_time(calendar_, delay, dma.name()), *this, transfer);
  return tlm::TLM_ACCEPTED;
}

void NvmeModule::response_came(Transfer& transfer) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = annotated_delay(calendar_);
  dma->nb_transport_fw(transfer, phase, delay);
  done(transfer);
}

// A write tells by its release.
void NvmeModule::done(Transfer& transfer) {
  const DmaTag tag = transfer.tag;
  const bool ok = transfer.is_response_ok(), read = transfer.is_read();
  transfer.release();
  if (read) controller_.read_ended(tag, ok);
}

void NvmeModule::free(Payload* payload) {
  auto& transfer = static_cast<Transfer&>(*payload);
  transfer.next_free = free_;
  free_ = &transfer;
  if (transfer.attributes.posted && transfer.tag.purpose != DmaTag::Purpose::none) {
    controller_.write_ended(transfer.tag);
  }
}

}  // namespace nandscape::host
