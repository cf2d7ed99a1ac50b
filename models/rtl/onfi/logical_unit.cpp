// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/logical_unit.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "nand/parameter_page.h"
#include "protocol/nand_features.h"

namespace nandscape::rtl::onfi {

namespace {

std::string hex(std::uint8_t code) {
  char text[4];
  std::snprintf(text, sizeof text, "%02X", unsigned{code});
  return std::string(text) + "h";
}

constexpr bool is_confirm(std::uint8_t code) {
  switch (code) {
    case opcode::read_confirm:
    case opcode::read_cache:
    case opcode::read_cache_end:
    case opcode::read_queue_plane:
    case opcode::copyback_read:
    case opcode::change_read_column_confirm:
    case opcode::program_confirm:
    case opcode::program_cache:
    case opcode::program_queue_plane:
    case opcode::erase_confirm:
    case opcode::erase_queue_plane: return true;
    default: return false;
  }
}

// Returns the maximum number of address cycles that follow the command, or 0 if the command has no address.
constexpr std::size_t most_addresses(std::uint8_t code) {
  switch (code) {
    case opcode::read:
    case opcode::program:
    case opcode::change_write_column:
    case opcode::change_read_column_enhanced: return address_cycles;
    case opcode::change_read_column: return column_cycles;
    case opcode::erase:
    case opcode::read_status_enhanced:
    case opcode::reset_lun: return row_cycles;
    case opcode::read_id:
    case opcode::read_parameter_page:
    case opcode::get_features:
    case opcode::set_features: return 1;
    default: return 0;
  }
}

// Returns true if the target accepts the command while R/B_n is low.
constexpr bool taken_while_busy(std::uint8_t code) {
  return code == opcode::read_status || code == opcode::read_status_enhanced || code == opcode::reset ||
         code == opcode::synchronous_reset || code == opcode::reset_lun;
}

}  // namespace

LogicalUnit::LogicalUnit(const Geometry& geometry, std::uint32_t read_levels, Violations& violations, Die& die)
    : geometry_(geometry),
      addresses_(geometry),
      read_levels_(read_levels),
      violations_(violations),
      die_(die),
      registers_(geometry.planes_per_die,
                 std::vector<std::byte>(geometry.page_bytes + geometry.spare_bytes, std::byte{0xff})),
      parameter_pages_(nand::parameter_page_copies * sizeof(nand::ParameterPage)),
      plane_failed_(geometry.planes_per_die) {}

void LogicalUnit::ignore(Tick now, const std::string& what) {
  setup_.reset();
  ignoring_ = true;
  violations_.sequence(now, what);
}

void LogicalUnit::begin_setup(std::uint8_t code) {
  setup_ = code;
  address_.clear();
  ignoring_ = false;
}

LogicalUnit::Latched LogicalUnit::command(std::uint8_t code, Tick now) {
  if (!ready_ && !taken_while_busy(code)) {
    ignore(now, "command " + hex(code) + " comes while R/B_n is low; a busy target accepts only 70h, 78h and resets");
    return Latched::plain;
  }
  if (code == opcode::read_status) {
    output_ = Output::status;
    output_again_ = false;
    status_plane_.reset();
    return Latched::plain;
  }
  if (code == opcode::reset || code == opcode::synchronous_reset) {
    if (code == opcode::synchronous_reset && mode_.interface == Interface::sdr) {
      ignore(now, "FCh comes over SDR; a synchronous reset belongs to NV-DDR");
      return Latched::plain;
    }
    const bool leaves = code == opcode::reset && mode_.interface != Interface::sdr;
    reset(code);
    return leaves ? Latched::interface_set : Latched::plain;
  }
  if (is_confirm(code)) {
    if (code == opcode::change_read_column_confirm) {
      return confirm_column(now) ? Latched::column_changed : Latched::plain;
    }
    confirm(code, now);
    return Latched::plain;
  }
  if (most_addresses(code) == 0) {
    ignore(now, "command " + hex(code) + " is unknown to this target");
    return Latched::plain;
  }
  begin_setup(code);
  if (code == opcode::read) output_ = data_output_;
  if (code == opcode::set_features) feature_count_ = 0;
  if (code != opcode::change_write_column && input_.slot != nullptr) {
    // A program that has not been confirmed is dropped.
    job_over(std::exchange(input_.slot, nullptr)->command);
  }
  return Latched::plain;
}

LogicalUnit::Latched LogicalUnit::address(std::uint8_t byte, Tick now) {
  if (ignoring_) return Latched::plain;
  if (!setup_ || address_.size() == most_addresses(*setup_)) {
    ignore(now, "an address cycle (" + hex(byte) + ") comes, but no command takes one");
    return Latched::plain;
  }
  address_.push_back(byte);
  const bool complete = address_.size() == most_addresses(*setup_);
  switch (*setup_) {
    case opcode::program:
      if (complete) open_input(false);
      break;
    case opcode::change_write_column:
      if (address_.size() == column_cycles && input_.slot != nullptr) {
        input_.column = Addresses::column(address_);
        return Latched::column_changed;
      }
      if (complete && input_.slot != nullptr) input_.row = addresses_.row(std::span(address_).subspan(column_cycles));
      if (complete && input_.slot == nullptr) open_input(true);
      break;
    case opcode::read_status_enhanced:
      if (!complete) break;
      output_ = Output::status;
      output_again_ = false;
      status_plane_ = PlaneInDie(addresses_.row(address_).plane.value % geometry_.planes_per_die);
      break;
    case opcode::read_id:
      id_address_ = byte;
      output_ = Output::id;
      output_byte_ = 0;
      output_again_ = false;
      break;
    case opcode::read_parameter_page: {
      if (byte != 0) {
        ignore(now, "ECh takes the address 00h, not " + hex(byte));
        break;
      }
      if (array_taken(now, "ECh")) break;
      Slot& slot = take_slot(NandOperation::read_parameter_page);
      slot.command.bytes = static_cast<std::uint32_t>(parameter_pages_.size());
      slot.command.data = parameter_pages_.data();
      start(slot, now);
      break;
    }
    case opcode::get_features: {
      if (byte == timing_mode_feature || !feature_of_die(byte)) {
        if (byte != timing_mode_feature) violations_.sequence(now, "the target has no feature " + hex(byte));
        feature_value_ = {byte == timing_mode_feature ? feature_value(mode_) : std::uint8_t{0}};
        output_ = Output::none;
        put_out(Output::feature);
        break;
      }
      if (array_taken(now, "EEh")) break;
      Slot& slot = take_slot(NandOperation::get_feature);
      slot.command.feature = byte;
      start(slot, now);
      break;
    }
    case opcode::reset_lun:
      if (!complete) break;
      if (addresses_.row(address_).unit == 0) {
        reset(opcode::reset_lun);
      } else {
        ignore(now, "FAh names a logical unit that the target does not have");
      }
      break;
    default: break;
  }
  return Latched::plain;
}

void LogicalUnit::open_input(bool copyback) {
  const std::span<const std::uint8_t> bytes(address_);
  const RowAddress row = addresses_.row(bytes.subspan(column_cycles));
  Slot& slot = take_slot(copyback ? NandOperation::copyback_program : NandOperation::program, row);
  if (copyback && row.plane.value < registers_.size()) {
    std::copy(registers_[row.plane].begin(), registers_[row.plane].end(), slot.data.begin());
  } else {
    std::fill(slot.data.begin(), slot.data.end(), std::byte{0xff});
  }
  input_ = {&slot, row, Addresses::column(bytes), false};
}

LogicalUnit::Latched LogicalUnit::data_in(std::uint8_t byte, Tick now) {
  if (ignoring_) return Latched::plain;
  if (has(opcode::set_features, 1)) {
    const bool was_set = mode_to_come_.has_value();
    take_feature_byte(byte, now);
    return !was_set && mode_to_come_ ? Latched::interface_set : Latched::plain;
  }
  if (input_.slot == nullptr) {
    ignore(now, "data-in comes, but no program is open for it; 80h, column and row must come first");
    return Latched::plain;
  }
  if (!addresses_.has_column(input_.column)) {
    ignore(now, "data-in goes past the end of the page, which has " + std::to_string(registers_[PlaneInDie(0)].size()) +
                    " bytes with its spare bytes");
    return Latched::plain;
  }
  input_.slot->data[input_.column++] = std::byte{byte};
  input_.any = true;
  return Latched::plain;
}

// Receives a byte of SET FEATURES. In NV-DDR, the host sends each byte twice.
void LogicalUnit::take_feature_byte(std::uint8_t byte, Tick now) {
  const std::uint32_t times = mode_.interface == Interface::nv_ddr ? 2 : 1;
  if (feature_count_ == times * feature_bytes) {
    ignore(now, "data-in of EFh continues after P4");
    return;
  }
  feature_value_[feature_count_ / times] = byte;
  if (++feature_count_ < times * feature_bytes) return;
  const std::uint8_t feature = address_[0];
  if (feature == timing_mode_feature) {
    const TimingMode wanted{static_cast<Interface>(feature_value_[0] >> 4 & 3),
                            static_cast<std::uint8_t>(feature_value_[0] & 0xf)};
    if (wanted.interface > Interface::nv_ddr || wanted.mode >= timing_modes) {
      ignore(now, "P1 of feature 01h is " + hex(feature_value_[0]) +
                      "; the target has SDR (00h to 05h) and NV-DDR (10h to 15h)");
      return;
    }
    mode_to_come_ = wanted;
    ready_ = false;
    busy_until(now + host_waits(mode_).interface_change);
    return;
  }
  if (!feature_of_die(feature)) {
    ignore(now, "the target has no feature " + hex(feature));
    return;
  }
  if (array_taken(now, "EFh")) return;
  Slot& slot = take_slot(NandOperation::set_feature);
  slot.command.feature = feature;
  slot.command.feature_value = feature_value_;
  start(slot, now);
}

bool LogicalUnit::feature_of_die(std::uint8_t address) const {
  return address == feature::sense_timing || address == feature::vref_offset_slc ||
         (address >= feature::vref_offset(1) && address <= feature::vref_offset(read_levels_));
}

void LogicalUnit::confirm(std::uint8_t code, Tick now) {
  switch (code) {
    case opcode::erase_confirm:
    case opcode::erase_queue_plane: confirm_erase(code, now); break;
    case opcode::program_confirm:
    case opcode::program_cache:
    case opcode::program_queue_plane: confirm_program(code, now); break;
    default: confirm_read(code, now);
  }
}

void LogicalUnit::confirm_read(std::uint8_t code, Tick now) {
  if (code == opcode::read_cache_end) return next_cache_read(std::nullopt, now);
  RowAddress row;
  if (code == opcode::read_cache && !has(opcode::read, address_cycles)) {
    row = last_read_;
    ++row.page;
  } else {
    if (!has(opcode::read, address_cycles)) {
      return ignore(now, hex(code) + " confirms nothing: 00h, column and row must come first");
    }
    row = addresses_.row(std::span(address_).subspan(column_cycles));
  }
  if (!addresses_.exists(row))
    return ignore(now, "a read (" + hex(code) + ") names a row that the target does not have");
  if (code == opcode::read_cache) return next_cache_read(row, now);
  if (array_taken(now, hex(code))) return;
  Slot& slot = take_slot(code == opcode::copyback_read ? NandOperation::copyback_read : NandOperation::read, row);
  slot.command.bytes = geometry_.page_bytes;
  output_plane_ = row.plane;
  output_byte_ = Addresses::column(address_);
  last_read_ = row;
  setup_.reset();
  if (code == opcode::read_queue_plane) {
    queue_plane(slot, now);
  } else {
    start(slot, now);
  }
}

void LogicalUnit::confirm_program(std::uint8_t code, Tick now) {
  Slot* const slot = std::exchange(input_.slot, nullptr);
  if (slot == nullptr) return ignore(now, hex(code) + " confirms nothing: 80h, column and row must come first");
  setup_.reset();
  NandCommand& command = slot->command;
  command.plane = input_.row.plane;
  command.block = input_.row.block;
  command.page = input_.row.page;
  const bool copyback = command.operation == NandOperation::copyback_program;
  command.bytes = copyback && !input_.any ? 0 : geometry_.page_bytes;
  if (!addresses_.exists(input_.row)) {
    fail_ = true;
    job_over(command);
    return ignore(now, "a program (" + hex(code) + ") names a row that the target does not have");
  }
  const bool follows = !operations_.empty() && operations_.back().last().operation == NandOperation::program &&
                       operations_.back().last().cache && operations_.size() == 1 && !copyback;
  if (protected_ || (!follows && array_taken(now, hex(code)))) return job_over(command);
  command.cache = code == opcode::program_cache;
  if (code == opcode::program_queue_plane) {
    queue_plane(*slot, now);
  } else {
    start(*slot, now);
  }
}

void LogicalUnit::confirm_erase(std::uint8_t code, Tick now) {
  if (!has(opcode::erase, row_cycles)) return ignore(now, hex(code) + " confirms nothing: 60h and row must come first");
  const RowAddress row = addresses_.row(address_);
  setup_.reset();
  if (!addresses_.exists(row)) {
    fail_ = true;
    return ignore(now, "an erase (" + hex(code) + ") names a row that the target does not have");
  }
  if (protected_ || array_taken(now, hex(code))) return;
  Slot& slot = take_slot(NandOperation::erase, row);
  if (code == opcode::erase_queue_plane) {
    queue_plane(slot, now);
  } else {
    start(slot, now);
  }
}

bool LogicalUnit::confirm_column(Tick now) {
  const bool enhanced = has(opcode::change_read_column_enhanced, address_cycles);
  if (!enhanced && !has(opcode::change_read_column, column_cycles)) {
    ignore(now, "E0h confirms nothing: 05h and column, or 06h, column and row must come first");
    return false;
  }
  const std::uint32_t column = Addresses::column(address_);
  if (enhanced) {
    const RowAddress row = addresses_.row(std::span(address_).subspan(column_cycles));
    if (!addresses_.exists(row)) {
      ignore(now, "06h-E0h names a row that the target does not have");
      return false;
    }
    output_plane_ = row.plane;
    data_output_ = Output::page;
  }
  setup_.reset();
  output_ = data_output_;
  output_byte_ = column;
  output_again_ = false;
  return true;
}

std::uint8_t LogicalUnit::status_byte() const {
  const bool failed = status_plane_ ? plane_failed_[*status_plane_] : fail_;
  return static_cast<std::uint8_t>((failed ? status::fail : 0) | (fail_previous_ ? status::fail_previous : 0) |
                                   (array_ready_ && ready_ ? status::array_ready : 0) | (ready_ ? status::ready : 0) |
                                   (protected_ ? 0 : status::not_protected));
}

std::uint8_t LogicalUnit::id_byte() const {
  constexpr char signature[] = {'O', 'N', 'F', 'I'};
  if (id_address_ == id_of_onfi && output_byte_ < sizeof signature) {
    return static_cast<std::uint8_t>(signature[output_byte_]);
  }
  return 0;  // means no manufacturer
}

std::uint8_t LogicalUnit::data_out(Tick now) {
  if (output_ == Output::status) return status_byte();
  if (!ready_ || output_ == Output::none) {
    violations_.sequence(now, ready_ ? "data-out is requested, but no command has any"
                                     : "data-out is requested while R/B_n is low; a busy target outputs only its "
                                       "status, after 70h or 78h");
    return 0xff;
  }
  std::uint8_t byte = 0xff;
  bool twice = mode_.interface == Interface::nv_ddr;
  if (output_ == Output::id) {
    byte = id_byte();
  } else if (output_ == Output::feature) {
    byte = output_byte_ < feature_bytes ? feature_value_[output_byte_] : 0;
  } else {
    const std::vector<std::byte>& bytes = output_ == Output::page ? registers_[output_plane_] : parameter_pages_;
    if (output_byte_ < bytes.size()) byte = std::to_integer<std::uint8_t>(bytes[output_byte_]);
    twice = false;
  }
  output_again_ = twice && !output_again_;
  if (!output_again_) ++output_byte_;
  return byte;
}

void LogicalUnit::deselected() {
  if (mode_to_come_) mode_ = *std::exchange(mode_to_come_, std::nullopt);
}

}  // namespace nandscape::rtl::onfi
