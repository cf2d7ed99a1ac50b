// SPDX-License-Identifier: Apache-2.0
#include "host/driver/driver_module.h"

#include <string>

#include "core/error.h"
#include "protocol/immediate_target.h"
#include "protocol/simulated_time.h"

namespace nandscape::host {

DriverModule::DriverModule(const sc_core::sc_module_name& name, Calendar& calendar, const DriverParameters& parameters,
                           HostMemory& memory)
    : sc_module(name), calendar_(calendar), driver_(calendar, parameters, memory, *this) {
  registers.bind(*this);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&value_));
  payload_.set_data_length(sizeof value_);
  payload_.set_streaming_width(sizeof value_);
}

void DriverModule::write(std::uint32_t offset, std::uint32_t value) {
  value_ = value;
  transport(tlm::TLM_WRITE_COMMAND, offset);
}

std::uint32_t DriverModule::read(std::uint32_t offset) {
  transport(tlm::TLM_READ_COMMAND, offset);
  return value_;
}

void DriverModule::start_of_simulation() {
  if (has_immediate_target(registers)) return;
  throw ProtocolError(
      std::string(registers.name()) +
      ": the driver calls its device from a process that cannot wait, and the device does not say that it "
      "never does; derive it from ImmediateTarget (protocol/immediate_target.h)");
}

void DriverModule::transport(tlm::tlm_command command, std::uint32_t offset) {
  payload_.set_command(command);
  payload_.set_address(offset);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = annotated_delay(calendar_);
  registers->b_transport(payload_, delay);
  if (!payload_.is_response_ok()) [[unlikely]]
    refused();
}

void DriverModule::refused() const {
  throw ProtocolError("register access at " + std::to_string(payload_.get_address()) + ": " +
                      payload_.get_response_string());
}

}  // namespace nandscape::host
