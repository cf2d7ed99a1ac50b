// SPDX-License-Identifier: Apache-2.0
// SystemC module of a die with its TLM socket. BEGIN_REQ arrives when the cycles of the command have ended on the bus,
// and the die accepts it at once. When the array has finished, the die sends BEGIN_RESP, for one response at a time;
// END_RESP frees the page register. If a reset aborts commands, the die sends their BEGIN_RESP within the call of the
// reset's BEGIN_REQ, and the initiator must complete these responses within the call of BEGIN_RESP.
#pragma once

#include <memory>

#include "core/calendar.h"
#include "nand/die.h"
#include "protocol/job_port.h"

namespace nandscape::nand {

class DieModule final : public sc_core::sc_module {
 public:
  // `store` is null if the simulation keeps no data. `tags` is null if pages have no tags.
  DieModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry, const NandTiming& timing,
            std::unique_ptr<PageStore> store, CellArray* cells = nullptr, std::unique_ptr<PageTags> tags = nullptr);

  JobTargetSocket<NandCommand>& socket() { return port_.socket; }

  Die& die() { return die_; }
  const Die& die() const { return die_; }

  // Models a power loss of the die. Operations in progress never end, and the die sends no more responses for them.
  void power_cut(Tick now);

 private:
  friend class JobTargetPort<NandCommand, DieModule>;

  // Called by the port that faces the channel.
  RequestAnswer request_begins(NandCommand& command, Tick now);
  void response_ended(NandCommand& command, Tick now);
  Tick response_time(const NandCommand& command) const { return command.response_time; }
  // Serves debug transport. A read returns its stored page without errors. Any other command returns 0 bytes, and so
  // does a die that stores no data.
  unsigned int look_at(tlm::tlm_generic_payload&, NandCommand& command) const { return die_.peek(command); }

  void answer_aborted();
  void start_array(Tick end);
  void array_ended(std::uint64_t operation);
  void respond();
  // The same for independent reads, which end one by one. await_plane_read() does nothing for other commands.
  [[gnu::noinline]] void await_plane_read(const NandCommand& command);
  void plane_arrays_ended();
  void plane_response_ended();
  void respond_of_plane();

  // Number of the current array operation. When an event for the end of an operation has an older number, it is
  // ignored, because its operation has been suspended or aborted. The number, the calendar and the first members of the
  // port are used for each command, so they share a cache line.
  alignas(64) std::uint64_t operation_ = 0;
  Calendar& calendar_;
  JobTargetPort<NandCommand, DieModule> port_;
  const std::unique_ptr<PageStore> store_;
  const std::unique_ptr<PageTags> tags_;
  Die die_;
};

}  // namespace nandscape::nand
