// SPDX-License-Identifier: Apache-2.0
// A die behind its TLM socket. BEGIN_REQ arrives at the end of the command's cycles and is accepted at once. BEGIN_RESP
// announces one response at a time when the array is done; END_RESP frees the register. Commands that a reset aborts
// get their BEGIN_RESP within the call of the reset's BEGIN_REQ, and the initiator must complete them there.
#pragma once

#include <memory>

#include "core/calendar.h"
#include "nand/die.h"
#include "protocol/job_port.h"

namespace nandscape::nand {

class DieModule final : public sc_core::sc_module {
 public:
  // `store` is null if the simulation keeps no data, `tags` if pages have no tags.
  DieModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry, const NandTiming& timing,
            std::unique_ptr<PageStore> store, CellArray* cells = nullptr, std::unique_ptr<PageTags> tags = nullptr);

  JobTargetSocket<NandCommand>& socket() { return port_.socket; }

  Die& die() { return die_; }
  const Die& die() const { return die_; }

  // The supply fails: operations under way never end, and no more responses follow.
  void power_cut(Tick now);

 private:
  friend class JobTargetPort<NandCommand, DieModule>;

  // Called by the port.
  RequestAnswer request_begins(tlm::tlm_generic_payload& payload, NandCommand& command, Tick now);
  void response_ended(NandCommand& command, Tick now);
  Tick response_time(const NandCommand& command) const { return command.response_time; }
  // Debug access. A read copies its stored page without errors; other commands, and dies without stored data, return 0
  // bytes.
  unsigned int look_at(tlm::tlm_generic_payload&, NandCommand& command) const { return die_.peek(command); }

  void answer_aborted();
  void start_array(Tick end);
  void array_ended(std::uint64_t operation);
  void respond();

  Calendar& calendar_;
  JobTargetPort<NandCommand, DieModule> port_;
  const std::unique_ptr<PageStore> store_;
  const std::unique_ptr<PageTags> tags_;
  Die die_;
  // Number of the current array operation. A scheduled end with an older number is void: its operation was suspended or
  // aborted.
  std::uint64_t operation_ = 0;
};

}  // namespace nandscape::nand
