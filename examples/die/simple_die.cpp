// SPDX-License-Identifier: Apache-2.0
#include "simple_die.h"

#include <algorithm>
#include <string>

#include "core/error.h"

using nandscape::NandCommand;
using nandscape::NandOperation;
using nandscape::NandStatus;
using nandscape::ProtocolError;
using nandscape::RequestAnswer;
using nandscape::Tick;

SimpleDie::SimpleDie(sc_core::sc_module_name name, nandscape::Calendar& calendar, std::uint32_t page_bytes,
                     const Times& times)
    : sc_module(name), calendar_(calendar), port_("socket", calendar, *this), page_bytes_(page_bytes), times_(times) {}

// The initiator calls this function at the end of the command and data-in cycles, so the request ends within the call.
// The calendar calls array_ended() at the end of the array operation, so the die needs no SystemC process.
RequestAnswer SimpleDie::request_begins(NandCommand& command, Tick now) {
  if (busy_) throw ProtocolError(std::string(name()) + ": " + to_string(command) + " comes while the die is busy");
  busy_ = true;
  calendar_.schedule<&SimpleDie::array_ended>(now + array_time(command), *this, command);
  return RequestAnswer::ended;
}

Tick SimpleDie::array_time(const NandCommand& command) const {
  const bool plain = !command.more_planes && !command.cache && !command.single_operation;
  switch (command.operation) {
    case NandOperation::read:
      if (plain) return times_.read;
      break;
    case NandOperation::program:
      if (plain) return times_.program;
      break;
    case NandOperation::erase:
      if (plain) return times_.erase;
      break;
    default: break;
  }
  throw ProtocolError(std::string(name()) + ": " + to_string(command) +
                      " is no command of this die; it reads, programs and erases, one plane at a time");
}

// If the response ends within the call, the port does not call response_ended(), so it is called here.
void SimpleDie::array_ended(NandCommand& command) {
  carry_out(command);
  if (port_.begin_response(command)) response_ended(command, calendar_.now());
}

void SimpleDie::response_ended(NandCommand&, Tick) { busy_ = false; }

void SimpleDie::carry_out(NandCommand& command) {
  const Place page{command.plane, command.block, command.page};
  command.status = NandStatus::pass;
  switch (command.operation) {
    case NandOperation::read: command.erased_page = !read(command); break;
    case NandOperation::program:
      // A page can be programmed only once after its block has been erased.
      if (!pages_.try_emplace(page, command.data, command.data + page_bytes_).second) command.status = NandStatus::fail;
      break;
    default:
      std::erase_if(pages_, [&](const auto& entry) {
        return std::get<0>(entry.first) == command.plane && std::get<1>(entry.first) == command.block;
      });
  }
}

// Reads the page into the command's data. Returns false if the page is erased; its bytes then read as FFh.
bool SimpleDie::read(NandCommand& command) const {
  const auto found = pages_.find({command.plane, command.block, command.page});
  if (found == pages_.end()) {
    std::fill_n(command.data, page_bytes_, std::byte{0xff});
    return false;
  }
  std::copy(found->second.begin(), found->second.end(), command.data);
  return true;
}

// Debug transport: reads a page without simulated time. Returns the number of bytes read.
unsigned int SimpleDie::look_at(tlm::tlm_generic_payload&, NandCommand& command) {
  if (command.operation != NandOperation::read || command.data == nullptr) return 0;
  read(command);
  return page_bytes_;
}
