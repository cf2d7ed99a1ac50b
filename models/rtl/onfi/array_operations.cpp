// SPDX-License-Identifier: Apache-2.0
// The part of LogicalUnit that handles array operations: sends commands to the die, and updates R/B_n, the status and
// the cache registers when the die answers.
#include <algorithm>
#include <cstring>
#include <utility>

#include "nand/parameter_page.h"
#include "rtl/onfi/logical_unit.h"

namespace nandscape::rtl::onfi {

LogicalUnit::Slot& LogicalUnit::take_slot(NandOperation operation) {
  auto free = std::find_if(slots_.begin(), slots_.end(), [](const auto& slot) { return !slot->used; });
  if (free == slots_.end()) free = slots_.insert(free, std::make_unique<Slot>());
  Slot& slot = **free;
  slot.used = true;
  slot.command = NandCommand();
  slot.command.operation = operation;
  slot.command.owner = &slot;
  return slot;
}

LogicalUnit::Slot& LogicalUnit::take_slot(NandOperation operation, const RowAddress& row) {
  Slot& slot = take_slot(operation);
  slot.data.resize(registers_[PlaneInDie(0)].size());
  // If the die does not store the spare bytes, they are read as if they were not programmed.
  if (!programs(operation)) std::fill(slot.data.begin(), slot.data.end(), std::byte{0xff});
  slot.command.data = slot.data.data();
  slot.command.plane = row.plane;
  slot.command.block = row.block;
  slot.command.page = row.page;
  return slot;
}

void LogicalUnit::job_over(NandCommand& command) { static_cast<Slot*>(command.owner)->used = false; }

bool LogicalUnit::array_taken(Tick now, const std::string& what) {
  if (array_ready_) return false;
  ignore(now, what + " comes while the array of a ready target works (SR[5] is 0)");
  return true;
}

void LogicalUnit::busy_until(Tick at) {
  busy_until_ = at;
  die_.wake(at);
}

void LogicalUnit::become_ready() {
  ready_ = true;
  busy_until_ = never;
}

// Selects the data for data-out. If the host has requested the status, the status continues to be output until the host
// sends 00h or another command that requests data.
void LogicalUnit::put_out(Output data) {
  data_output_ = data;
  if (output_ != Output::status) {
    output_ = data;
    output_again_ = false;
  }
  if (data != Output::page) output_byte_ = 0;
}

// All commands of a multi-plane operation must have the same operation and different planes. If `slot` does not match
// the queued commands, they are dropped.
void LogicalUnit::drop_unlike_planes(const Slot& slot, Tick now) {
  const auto joins = [&](const Slot* queued) {
    return queued->command.operation == slot.command.operation && queued->command.plane != slot.command.plane;
  };
  if (std::all_of(queued_.begin(), queued_.end(), joins)) return;
  violations_.sequence(now, "planes are queued (32h, 11h or D1h) for " + to_string(queued_.front()->command) +
                                ", and " + to_string(slot.command) + " does not join them; they are dropped");
  for (Slot* queued : std::exchange(queued_, {})) job_over(queued->command);
}

void LogicalUnit::queue_plane(Slot& slot, Tick now) {
  drop_unlike_planes(slot, now);
  queued_.push_back(&slot);
  ready_ = false;
  busy_until(now + queue_busy);
}

void LogicalUnit::start(Slot& slot, Tick now) {
  drop_unlike_planes(slot, now);
  close_open_read();
  Operation operation;
  operation.planes = std::exchange(queued_, {});
  operation.planes.push_back(&slot);
  for (Slot* plane : operation.planes) {
    plane->command.more_planes = plane != &slot;
    plane->command.cache = slot.command.cache;
  }
  if (operations_.empty()) {
    fail_previous_ = last_was_cached_ && fail_ && slot.command.operation == NandOperation::program;
    fail_ = false;
    std::fill(plane_failed_.begin(), plane_failed_.end(), false);
  }
  last_was_cached_ = slot.command.cache;
  ready_ = array_ready_ = false;
  busy_until_ = never;
  output_ = data_output_ = Output::none;
  operations_.push_back(std::move(operation));
  send(operations_.back());
}

// Sends the commands of an operation to the die. The list of planes is copied, because the die may answer within the
// call, which can end the operation.
void LogicalUnit::send(Operation& operation) {
  const std::vector<Slot*> planes = operation.planes;
  for (Slot* plane : planes) die_.begin_request(plane->command);
}

void LogicalUnit::close_open_read() {
  if (open_read_ != nullptr) die_.end_response(std::exchange(open_read_, nullptr)->command);
}

void LogicalUnit::reset(std::uint8_t code) {
  close_open_read();
  setup_.reset();
  ignoring_ = false;
  turning_ = false;
  cache_read_.reset();
  for (Slot* slot : std::exchange(queued_, {})) job_over(slot->command);
  if (input_.slot != nullptr) job_over(std::exchange(input_.slot, nullptr)->command);
  output_ = data_output_ = Output::none;
  fail_ = fail_previous_ = last_was_cached_ = false;
  std::fill(plane_failed_.begin(), plane_failed_.end(), false);
  ready_ = array_ready_ = false;
  busy_until_ = never;
  mode_to_come_.reset();
  if (code == opcode::reset && mode_.interface != Interface::sdr) mode_to_come_ = TimingMode{};
  // The reset is not added to operations_, because it ends all operations in this list.
  die_.begin_request(take_slot(NandOperation::reset).command);
}

void LogicalUnit::request_ended(NandCommand& command, Tick now) {
  if (is_cache_read(command)) {
    // The die has accepted the cache read, so the previous page need not stay in the page register.
    cache_busy_ = command.response_time;
    die_.end_response(std::exchange(turned_, nullptr)->command);
    return busy_until(now + cache_busy_);
  }
  // If the array is not busy with an earlier program, a cache program frees the cache register at tPCBSY after its
  // request.
  const bool cached = command.cache && command.operation == NandOperation::program && !command.more_planes;
  if (cached && !operations_.empty() && operations_.front().planes.back()->command.owner == command.owner) {
    busy_until(now + command.response_time);
  }
}

bool LogicalUnit::response_begins(NandCommand& command, Tick now) {
  Slot& slot = *static_cast<Slot*>(command.owner);
  if (command.operation == NandOperation::reset) {
    // When the reset ends, the operations that it has aborted have also ended.
    operations_.clear();
    array_ready_ = true;
    busy_until(now + command.response_time);
    return true;
  }
  if (command.status == NandStatus::aborted) return true;
  Operation& operation = operations_.front();
  if (command.status == NandStatus::fail) {
    operation.failed = true;
    plane_failed_[command.plane] = true;
  }
  const bool leave_open = command.operation == NandOperation::read && operation.planes.size() == 1;
  if (leave_open) open_read_ = &slot;
  const bool page = command.operation == NandOperation::read || command.operation == NandOperation::copyback_read;
  if (page && !command.cache) page_arrived(slot);
  if (command.operation == NandOperation::get_feature) feature_value_ = command.feature_value;
  if (command.operation == NandOperation::set_feature) busy_until(now + command.response_time);
  if (++operation.answered == operation.planes.size()) operation_ended(now);
  return !leave_open;
}

void LogicalUnit::page_arrived(Slot& slot) { registers_[slot.command.plane] = slot.data; }

// Sets the fields of the parameter page that describe the interface. The die cannot set them, because it has no pins.
void LogicalUnit::add_interface_to_parameter_pages() {
  for (std::uint32_t copy = 0; copy < nand::parameter_page_copies; ++copy) {
    nand::ParameterPage page;
    std::byte* const bytes = parameter_pages_.data() + copy * sizeof page;
    std::memcpy(&page, bytes, sizeof page);
    page.features |= 1u << 5;
    page.optional_commands |= 1u << 0 | 1u << 3;
    page.sdr_modes = page.nv_ddr_modes = (1u << timing_modes) - 1;
    page.t_ccs_ns = static_cast<std::uint16_t>(host_waits(mode_).change_column / nanosecond);
    page.crc = nand::parameter_page_crc(page);
    std::memcpy(bytes, &page, sizeof page);
  }
}

void LogicalUnit::operation_ended(Tick now) {
  const Operation ended = std::move(operations_.front());
  operations_.pop_front();
  const NandCommand& last = ended.last();
  if (programs(last.operation)) return program_ended(ended, now);
  array_ready_ = true;
  if (is_cache_read(last)) {
    // The page that was read moves to the cache register in a later event, because the current call comes from the die.
    if (turning_) die_.wake(now);
    return;
  }
  fail_ = ended.failed;
  if (last.operation == NandOperation::set_feature) return;
  become_ready();
  switch (last.operation) {
    case NandOperation::read:
    case NandOperation::copyback_read: put_out(Output::page); break;
    case NandOperation::get_feature: put_out(Output::feature); break;
    case NandOperation::read_parameter_page:
      add_interface_to_parameter_pages();
      put_out(Output::parameter_page);
      break;
    default: break;
  }
}

// If another cache program waits in the cache registers, its data now move to the page registers.
void LogicalUnit::program_ended(const Operation& ended, Tick now) {
  if (operations_.empty()) {
    fail_ = ended.failed;
    array_ready_ = true;
    // After a cache program, the target is either already ready, or becomes ready at the end of tPCBSY.
    if (!ended.last().cache) become_ready();
    return;
  }
  fail_previous_ = ended.failed;
  std::fill(plane_failed_.begin(), plane_failed_.end(), false);
  const NandCommand& behind = operations_.front().last();
  if (behind.cache) busy_until(now + behind.response_time);
}

// Handles the commands 31h and 3Fh. The page that was read moves to the cache register. With 31h, the die also begins
// to read the page at `row`.
void LogicalUnit::next_cache_read(std::optional<RowAddress> row, Tick now) {
  const bool sensing = !operations_.empty() && is_cache_read(operations_.front().last());
  if (open_read_ == nullptr && !sensing) {
    return ignore(now, row ? "31h comes without a single-plane read before it" : "3Fh comes without a cache read");
  }
  setup_.reset();
  output_ = Output::none;
  ready_ = false;
  busy_until_ = never;
  turning_ = true;
  cache_read_ = row;
  if (open_read_ != nullptr) turn_cache_registers(now);
}

void LogicalUnit::turn_cache_registers(Tick now) {
  turning_ = false;
  Slot& sensed = *std::exchange(open_read_, nullptr);
  page_arrived(sensed);
  output_plane_ = sensed.command.plane;
  output_byte_ = 0;
  put_out(Output::page);
  if (!cache_read_) {
    die_.end_response(sensed.command);
    busy_until(now + cache_busy_);
    return;
  }
  last_read_ = *cache_read_;
  Slot& next = take_slot(NandOperation::read, *std::exchange(cache_read_, std::nullopt));
  next.command.bytes = geometry_.page_bytes;
  next.command.cache = true;
  Operation operation;
  operation.planes = {&next};
  operations_.push_back(std::move(operation));
  array_ready_ = false;
  turned_ = &sensed;
  die_.begin_request(next.command);
}

void LogicalUnit::woken(Tick now) {
  if (turning_ && open_read_ != nullptr) turn_cache_registers(now);
  if (busy_until_ == now && !ready_) become_ready();
}

}  // namespace nandscape::rtl::onfi
