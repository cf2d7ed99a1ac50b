// SPDX-License-Identifier: Apache-2.0
#include "nand/die_module.h"

#include <utility>

#include "core/error.h"

namespace nandscape::nand {

DieModule::DieModule(sc_core::sc_module_name name, Calendar& calendar, const Geometry& geometry,
                     const NandTiming& timing, std::unique_ptr<PageStore> store, CellArray* cells,
                     std::unique_ptr<PageTags> tags)
    : sc_module(name),
      calendar_(calendar),
      port_("socket", calendar, *this),
      store_(std::move(store)),
      tags_(std::move(tags)),
      die_(this->name(), geometry, timing, store_.get(), cells, tags_.get()) {}

RequestAnswer DieModule::request_begins(NandCommand& command, Tick now) {
  const Tick end = die_.issue(command, now);
  if (!answered_at_once(command.operation)) {
    start_array(end);
    return RequestAnswer::ended;
  }
  const bool stopped = command.operation == NandOperation::reset ||
                       (command.operation == NandOperation::suspend && command.status == NandStatus::pass);
  if (stopped) ++operation_;
  start_array(end);
  answer_aborted();
  return RequestAnswer::completed;
}

void DieModule::response_ended(NandCommand&, Tick now) {
  start_array(die_.release(now));
  respond();
}

void DieModule::power_cut(Tick now) {
  ++operation_;
  die_.power_cut(now);
}

void DieModule::answer_aborted() {
  while (NandCommand* command = die_.take_aborted()) {
    if (!port_.begin_response(*command)) {
      throw ProtocolError(std::string(name()) + ": " + to_string(*command) +
                          " was aborted, but its response was not completed within the call");
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
  NandCommand* const command = die_.response();
  if (command != nullptr && port_.begin_response(*command)) response_ended(*command, calendar_.now());
}

}  // namespace nandscape::nand
