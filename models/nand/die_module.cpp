// SPDX-License-Identifier: Apache-2.0
#include "nand/die_module.h"

#include <utility>

#include "core/error.h"
#include "protocol/simulated_time.h"

namespace nandscape::nand {

DieModule::DieModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry,
                     const NandTiming& timing, std::unique_ptr<PageStore> store, CellArray* cells,
                     std::unique_ptr<PageTags> tags)
    : sc_module(name),
      socket("socket"),
      calendar_(calendar),
      store_(std::move(store)),
      tags_(std::move(tags)),
      die_(this->name(), geometry, timing, store_.get(), cells, tags_.get()) {
  socket.bind(static_cast<JobForward<NandCommand>&>(*this));
}

tlm::tlm_sync_enum DieModule::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  const Tick now = call_time(calendar_, delay);
  NandCommand& command = job_of<NandCommand>(payload);
  if (phase == tlm::BEGIN_REQ) {
    const Tick end = die_.issue(command, now);
    const bool stopped = command.operation == NandOperation::reset ||
                         (command.operation == NandOperation::suspend && command.status == NandStatus::pass);
    if (stopped) ++operation_;
    start_array(end);
    if (answered_at_once(command.operation)) {
      answer_aborted();
      return tlm::TLM_COMPLETED;
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  // END_RESP
  start_array(die_.release(now));
  respond();
  return tlm::TLM_COMPLETED;
}

void DieModule::power_cut(Tick now) {
  ++operation_;
  die_.power_cut(now);
}

void DieModule::answer_aborted() {
  while (NandCommand* command = die_.take_aborted()) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = annotated_delay(calendar_);
    if (socket->nb_transport_bw(*command->payload, phase, delay) != tlm::TLM_COMPLETED) {
      throw ProtocolError(std::string(name()) + ": " + to_string(*command) +
                          " was aborted, but its response was not completed in the call that brought it");
    }
  }
}

void DieModule::start_array(Tick end) {
  if (end != never) calendar_.schedule<&DieModule::array_ended>(end, *this, ++operation_);
}

void DieModule::array_ended(std::uint64_t operation) {
  if (operation != operation_) return;
  die_.finish(calendar_.now());
  respond();
}

void DieModule::respond() {
  NandCommand* command = die_.response();
  if (command == nullptr) return;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = annotated_delay(calendar_);
  socket->nb_transport_bw(*command->payload, phase, delay);
}

void DieModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  // Blocking access would hide the array time that other dies overlap with.
  payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

}  // namespace nandscape::nand
