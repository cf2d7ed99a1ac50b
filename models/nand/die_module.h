// SPDX-License-Identifier: Apache-2.0
// A die on its TLM socket. BEGIN_REQ arrives at the end of the command's cycles and is accepted at once; BEGIN_RESP
// says that the array is done, one response at a time; END_RESP frees the register. Commands that a reset aborts get
// their BEGIN_RESP while the reset's BEGIN_REQ is served, and must be completed there.
#pragma once

#include <memory>

#include "core/calendar.h"
#include "nand/die.h"
#include "protocol/job_socket.h"

namespace nandscape::nand {

class DieModule final : public sc_core::sc_module, private JobForward<NandCommand> {
 public:
  // `store` is null when the simulation keeps no data, `tags` when nobody keeps tags.
  DieModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry, const NandTiming& timing,
            std::unique_ptr<PageStore> store, CellArray* cells = nullptr, std::unique_ptr<PageTags> tags = nullptr);

  JobTargetSocket<NandCommand> socket;

  Die& die() { return die_; }
  const Die& die() const { return die_; }

  // The supply fails: what is under way never ends, and no response comes any more.
  void power_cut(Tick now);

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  void answer_aborted();
  void start_array(Tick end);
  void array_ended(std::uint64_t operation);
  void respond();

  Calendar& calendar_;
  const std::unique_ptr<PageStore> store_;
  const std::unique_ptr<PageTags> tags_;
  Die die_;
  // The end that was announced for an operation is void once the operation is suspended or aborted.
  std::uint64_t operation_ = 0;
};

}  // namespace nandscape::nand
