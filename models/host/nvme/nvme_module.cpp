// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/nvme_module.h"

#include <cstring>
#include <span>
#include <string>

#include "core/error.h"
#include "protocol/entry_time.h"

namespace nandscape::host {

namespace {

using Payload = tlm::tlm_generic_payload;

std::span<std::byte> data_of(Payload& payload) {
  return {reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length()};
}

// Returns true if the access has no byte enables and its streaming width is not less than its length. Otherwise sets
// the response status to the error.
bool is_plain(Payload& payload) {
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_streaming_width() < payload.get_data_length()) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return false;
  }
  return true;
}

[[noreturn]] void refuse(std::uint64_t address) {
  throw ProtocolError("register access at " + std::to_string(address) +
                      ": memory space is disabled, or the address is outside of BAR0");
}

tlm::tlm_response_status status_of(NvmeFunction::Answer answer) {
  switch (answer) {
    case NvmeFunction::Answer::ok: return tlm::TLM_OK_RESPONSE;
    case NvmeFunction::Answer::unsupported: return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case NvmeFunction::Answer::misfit: return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace

NvmeModule::NvmeModule(const sc_core::sc_module_name& name, Calendar& calendar, const NvmeParameters& parameters,
                       StorageDevice& device, bool keep_data, const PcieLinkParameters& link, PciStart start)
    : sc_module(name),
      calendar_(calendar),
      no_data_(device.page_bytes()),
      function_(calendar, parameters, link, device, *this, keep_data, start),
      register_port_(registers, calendar, register_face_),
      configuration_port_(configuration, calendar, configuration_face_) {
  dma.bind(*this);
}

NvmeModule::~NvmeModule() = default;

// ---- BAR0

inline Tick NvmeModule::Registers::access(Payload& payload, Tick at) {
  if (!is_plain(payload)) return at;
  auto answer = NvmeFunction::Answer::ok;
  if (payload.is_write()) [[likely]]
    answer = module.function_.write_memory(payload.get_address(), data_of(payload), at);
  if (payload.is_read()) answer = module.function_.read_memory(payload.get_address(), data_of(payload), at);
  payload.set_response_status(status_of(answer));
  return at;
}

inline void NvmeModule::Registers::write_doubleword(std::uint64_t address, std::uint32_t value, Tick at) {
  NvmeFunction& function = module.function_;
  if (!function.accepts_doorbell(address)) [[unlikely]]
    return write_register(address, value, at);
  function.controller().write_doorbell(static_cast<std::uint32_t>(address), value, at);
}

void NvmeModule::Registers::write_register(std::uint64_t address, std::uint32_t value, Tick at) {
  if (!module.function_.accepts_doubleword(address, at)) refuse(address);
  module.function_.controller().write_register(static_cast<std::uint32_t>(address), value, at);
}

// Serves debug transport. Writes are refused, because every write of a register has a side effect.
unsigned int NvmeModule::Registers::look_at(Payload& payload) {
  if (!payload.is_read()) return 0;
  return static_cast<unsigned int>(module.function_.peek_memory(payload.get_address(), data_of(payload)));
}

// ---- Configuration space

Tick NvmeModule::Configuration::access(Payload& payload, Tick at) {
  if (!is_plain(payload)) return at;
  const std::uint64_t address = payload.get_address();
  const std::uint32_t length = payload.get_data_length();
  if (length != 1 && length != 2 && length != 4) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return at;
  }
  if (address % length != 0 || address >= pci::configuration_bytes) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return at;
  }
  const auto offset = static_cast<std::uint32_t>(address);
  if (payload.is_write()) module.function_.write_configuration(offset, data_of(payload), at);
  if (payload.is_read()) module.function_.read_configuration(offset, data_of(payload));
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return at;
}

unsigned int NvmeModule::Configuration::look_at(Payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (!payload.is_read() || address >= pci::configuration_bytes) return 0;
  module.function_.peek_configuration(static_cast<std::uint32_t>(address), data_of(payload));
  return payload.get_data_length();
}

// ---- DMA

void NvmeModule::end_of_elaboration() {
  if (auto* const link = dynamic_cast<DirectDma*>(dma.operator->())) {
    controller().connect(link->connect(calendar_, controller()));
  }
}

void NvmeModule::read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) {
  Transfer& transfer = prepare(tlm::TLM_READ_COMMAND, tag, false);
  transfer.attributes.posted = false;
  send(transfer, address, into, bytes);
}

void NvmeModule::write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag,
                       bool more_follow) {
  // A generic payload needs a pointer to non-const data, but a write does not change the data.
  send(prepare(tlm::TLM_WRITE_COMMAND, tag, more_follow), address, const_cast<std::byte*>(from), bytes);
}

void NvmeModule::send_inline(std::uint64_t address, const InlineBytes& from, bool more_follow) {
  Transfer& transfer = prepare(tlm::TLM_WRITE_COMMAND, {}, more_follow);
  transfer.inline_bytes = from;
  send(transfer, address, transfer.inline_bytes.data(), sizeof from);
}

void NvmeModule::send_message(DmaMessage message) {
  Transfer& transfer = prepare(tlm::TLM_WRITE_COMMAND, {}, false);
  std::memcpy(transfer.inline_bytes.data(), &message.data, sizeof message.data);
  transfer.attributes.interrupt = DmaInterrupt::message;
  send(transfer, message.address, transfer.inline_bytes.data(), sizeof message.data);
}

// Sends the message that asserts or deasserts INTx. It has a header of four doublewords and no data. This is the size
// of a write of one doubleword below 4 GiB, hence the length of 4 bytes.
void NvmeModule::set_interrupt_line(bool asserted) {
  Transfer& transfer = prepare(tlm::TLM_IGNORE_COMMAND, {}, false);
  transfer.attributes.interrupt = asserted ? DmaInterrupt::line_asserted : DmaInterrupt::line_deasserted;
  send(transfer, 0, transfer.inline_bytes.data(), 4);
}

NvmeModule::Transfer& NvmeModule::prepare(tlm::tlm_command command, DmaTag tag, bool more_follow) {
  if (free_ == nullptr) {
    free_ = transfers_.emplace_back(std::make_unique<Transfer>(static_cast<tlm::tlm_mm_interface*>(this))).get();
  }
  Transfer& transfer = *free_;
  free_ = transfer.next_free;
  transfer.set_command(command);
  transfer.tag = tag;
  transfer.attributes.posted = true;
  transfer.attributes.more_follow = more_follow;
  return transfer;
}

void NvmeModule::lose(Transfer& transfer) {
  transfer.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  calendar_.schedule<&NvmeModule::done>(calendar_.now(), *this, transfer);
}

void NvmeModule::send(Transfer& transfer, std::uint64_t address, std::byte* data, std::uint32_t bytes) {
  transfer.attributes.timing_only = data == nullptr;
  transfer.set_address(address);
  transfer.set_data_ptr(reinterpret_cast<unsigned char*>(data == nullptr ? no_data_.data() : data));
  transfer.set_data_length(bytes);
  transfer.set_streaming_width(bytes);
  transfer.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  transfer.acquire();
  if (!function_.bus_master() && transfer.get_command() != tlm::TLM_IGNORE_COMMAND) [[unlikely]]
    return lose(transfer);
  if (requesting_ != nullptr) [[unlikely]] {
    waiting_.push(&transfer);
  } else {
    begin_request(transfer);
  }
}

void NvmeModule::begin_request(Transfer& transfer) {
  requesting_ = &transfer;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = annotated_delay(calendar_);
  const tlm::tlm_sync_enum status = dma->nb_transport_fw(transfer, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  if (at_present(calendar_, delay)) [[likely]] {
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) return request_ended(transfer);
    if (status == tlm::TLM_COMPLETED && transfer.attributes.posted) {
      request_ended(transfer);
      return transfer.release();
    }
  }
  answered(transfer, status, phase, delay);
}

void NvmeModule::send_waiting() {
  while (requesting_ == nullptr && !waiting_.empty()) {
    Transfer& next = *waiting_.front();
    waiting_.pop();
    begin_request(next);
  }
}

void NvmeModule::answered(Transfer& transfer, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                          const sc_core::sc_time& delay) {
  const Tick at = entry_time(calendar_, delay, dma.name());
  if (status == tlm::TLM_COMPLETED) {
    calendar_.schedule<&NvmeModule::done>(at, *this, transfer);
  } else if (phase == tlm::BEGIN_RESP) {
    calendar_.schedule<&NvmeModule::response_came>(at, *this, transfer);
  } else if (phase == tlm::END_REQ) {
    request_ends(transfer, at);
  } else {
    refuse_phase(phase, dma.name());
  }
}

void NvmeModule::request_ends(Transfer& transfer, Tick at) {
  if (at == calendar_.now() && calendar_.running()) return request_ended(transfer);
  calendar_.schedule<&NvmeModule::request_ended>(at, *this, transfer);
}

tlm::tlm_sync_enum NvmeModule::nb_transport_bw(Payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  auto& transfer = static_cast<Transfer&>(trans);
  if (phase == tlm::END_REQ) {
    request_ends(transfer, entry_time(calendar_, delay, dma.name()));
    return tlm::TLM_ACCEPTED;
  }
  if (phase != tlm::BEGIN_RESP) refuse_phase(phase, dma.name());
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

// Called when a transfer has ended. The client is notified here of a read. It is notified of a write in free(), which
// is called when the link has released the payload.
void NvmeModule::done(Transfer& transfer) {
  request_ended(transfer);
  const DmaTag tag = transfer.tag;
  const bool ok = transfer.is_response_ok(), read = transfer.is_read();
  transfer.release();
  if (read) controller().read_ended(tag, ok);
}

void NvmeModule::free(Payload* payload) {
  auto& transfer = static_cast<Transfer&>(*payload);
  transfer.attributes.interrupt = DmaAttributes::Interrupt::none;
  transfer.next_free = free_;
  free_ = &transfer;
  if (transfer.attributes.posted && transfer.tag.purpose != DmaTag::Purpose::none) {
    controller().write_ended(transfer.tag);
  }
}

}  // namespace nandscape::host
