// SPDX-License-Identifier: Apache-2.0
// A simple model of a die with three operations, each with a fixed duration. It stores its pages in a map. It can be
// connected to a channel in place of DieModule.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/calendar.h"
#include "protocol/job_port.h"
#include "protocol/nand_command.h"

class SimpleDie final : public sc_core::sc_module {
 public:
  struct Times {
    nandscape::Tick read;
    nandscape::Tick program;
    nandscape::Tick erase;
  };

  SimpleDie(sc_core::sc_module_name name, nandscape::Calendar& calendar, std::uint32_t page_bytes, const Times& times);

  nandscape::JobTargetSocket<nandscape::NandCommand>& socket() { return port_.socket; }

 private:
  friend class nandscape::JobTargetPort<nandscape::NandCommand, SimpleDie>;
  using Place = std::tuple<nandscape::PlaneInDie, nandscape::BlockInPlane, std::uint32_t>;  // the last is the page

  // The functions that a JobTargetPort calls on the block behind it.
  nandscape::RequestAnswer request_begins(nandscape::NandCommand& command, nandscape::Tick now);
  void response_ended(nandscape::NandCommand& command, nandscape::Tick now);
  nandscape::Tick response_time(const nandscape::NandCommand& command) const { return command.response_time; }
  unsigned int look_at(tlm::tlm_generic_payload& payload, nandscape::NandCommand& command);

  nandscape::Tick array_time(const nandscape::NandCommand& command) const;
  void array_ended(nandscape::NandCommand& command);
  void carry_out(nandscape::NandCommand& command);
  bool read(nandscape::NandCommand& command) const;

  nandscape::Calendar& calendar_;
  nandscape::JobTargetPort<nandscape::NandCommand, SimpleDie> port_;
  const std::uint32_t page_bytes_;
  const Times times_;
  bool busy_ = false;  // true from the end of a command's bus cycles to the end of its response
  std::map<Place, std::vector<std::byte>> pages_;
};
