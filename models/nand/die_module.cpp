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
    if (end == never) {
      await_plane_read(command);
    } else {
      start_array(end);
    }
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
  if (!die_.responding()) [[unlikely]]
    return plane_response_ended();
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

void DieModule::await_plane_read(const NandCommand& command) {
  if (!command.independent) return;
  calendar_.schedule<&DieModule::plane_arrays_ended>(die_.plane_read_end(command.plane), *this);
}

// A reset or a power cut may have dropped the read for which this event was scheduled. The event then finds no read
// whose array ends now, unless another read ends at the same time.
void DieModule::plane_arrays_ended() {
  const bool response_begun = die_.plane_response() != nullptr;
  die_.finish_plane_reads(calendar_.now());
  if (!response_begun) respond_of_plane();
}

void DieModule::plane_response_ended() {
  die_.release_plane_read();
  respond_of_plane();
}

void DieModule::respond_of_plane() {
  while (NandCommand* const command = die_.plane_response()) {
    const Tick ended = die_.plane_read_end(command->plane);
    if (!port_.begin_response(*command)) {
      command->bus_asked = ended;  // the response may have waited behind that of another plane before
      return;
    }
    die_.release_plane_read();
  }
}

}  // namespace nandscape::nand
