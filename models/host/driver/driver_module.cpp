// SPDX-License-Identifier: Apache-2.0
#include "host/driver/driver_module.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "protocol/immediate_target.h"
#include "protocol/simulated_time.h"

namespace nandscape::host {

DriverModule::DriverModule(const sc_core::sc_module_name& name, Calendar& calendar, const DriverParameters& parameters,
                           HostMemory& memory)
    : sc_module(name),
      RegisterPort(calendar),
      calls_("calls", calendar, registers, *this),
      driver_(calendar, parameters, memory, *this) {
  registers.bind(*this);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&value_));
  payload_.set_data_length(sizeof value_);
  payload_.set_streaming_width(sizeof value_);
}

bool DriverModule::device_is_immediate() {
  if (!device_is_immediate_) [[unlikely]]
    device_is_immediate_ = has_immediate_target(registers);
  return *device_is_immediate_;
}

void DriverModule::send_write(std::uint32_t offset, std::uint32_t value) {
  if (DirectWrites* const device = link_.find(registers, calendar_))
    return device->write_doubleword(offset, value, calendar_.now());
  if (device_is_immediate()) {
    value_ = value;
    return transport(tlm::TLM_WRITE_COMMAND, offset);
  }
  waiting_.push({tlm::TLM_WRITE_COMMAND, offset, value, {}});
  if (waiting_.size() == 1) call_next();
}

void DriverModule::read(std::uint32_t offset, Then then) {
  if (device_is_immediate()) {
    transport(tlm::TLM_READ_COMMAND, offset);
    return then(value_);
  }
  waiting_.push({tlm::TLM_READ_COMMAND, offset, 0, std::move(then)});
  if (waiting_.size() == 1) call_next();
}

void DriverModule::prepare(tlm::tlm_command command, std::uint32_t offset) {
  payload_.set_command(command);
  payload_.set_address(offset);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void DriverModule::transport(tlm::tlm_command command, std::uint32_t offset) {
  prepare(command, offset);
  sc_core::sc_time delay = annotated_delay(calendar_);
  registers->b_transport(payload_, delay);
  if (!payload_.is_response_ok()) [[unlikely]]
    refused();
}

void DriverModule::call_next() {
  const Access& access = waiting_.front();
  value_ = access.value;
  prepare(access.command, access.offset);
  calls_.call(payload_);
}

void DriverModule::call_ended(tlm::tlm_generic_payload&) {
  if (!payload_.is_response_ok()) refused();
  const Access access = std::move(waiting_.front());
  const std::uint32_t value = value_;
  waiting_.pop();
  if (!waiting_.empty()) call_next();
  if (access.then) access.then(value);
}

void DriverModule::refused() const {
  throw ProtocolError("register access at " + std::to_string(payload_.get_address()) + ": " +
                      payload_.get_response_string());
}

}  // namespace nandscape::host
