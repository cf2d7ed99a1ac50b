// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/command_cycles.h"

#include <array>
#include <span>
#include <utility>

#include "core/error.h"
#include "rtl/onfi/commands.h"

namespace nandscape::rtl::onfi {

// A list of cycles that grows.
class CommandCycles::Script {
 public:
  Script(const Addresses& addresses, TimingMode mode) : addresses_(addresses), waits_(host_waits(mode)) {}

  Script& command(std::uint8_t code) { return add({.kind = Cycle::Kind::command, .byte = code}); }
  Script& address(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) add({.kind = Cycle::Kind::address, .byte = byte});
    return *this;
  }
  Script& address(std::uint8_t byte) { return address({&byte, 1}); }
  Script& column(std::uint32_t column) { return address(addresses_.column_bytes(column)); }
  Script& row(const RowAddress& row) { return address(addresses_.row_bytes(row)); }
  Script& wait(Tick time) { return add({.kind = Cycle::Kind::wait, .time = time}); }
  Script& bytes_in(const std::byte* from, std::uint32_t count, bool single = false) {
    return add({.kind = Cycle::Kind::data_in, .count = count, .from = from, .single_bytes = single});
  }
  Script& bytes_out(std::byte* data, std::uint32_t count, bool single = false) {
    return add({.kind = Cycle::Kind::data_out, .count = count, .data = data, .single_bytes = single});
  }
  Script& busy() { return wait(waits_.write_to_busy); }
  Script& write_column(std::uint32_t to) {
    return command(opcode::change_write_column).column(to).wait(waits_.change_column);
  }
  Script& read_column(std::uint32_t to) {
    return command(opcode::change_read_column)
        .column(to)
        .command(opcode::change_read_column_confirm)
        .wait(waits_.change_column);
  }
  Script& read_column(std::uint32_t to, const RowAddress& of) {
    return command(opcode::change_read_column_enhanced)
        .column(to)
        .row(of)
        .command(opcode::change_read_column_confirm)
        .wait(waits_.change_column);
  }
  const HostWaits& waits() const { return waits_; }
  std::vector<Cycle> take() { return std::move(cycles_); }

 private:
  Script& add(const Cycle& cycle) {
    cycles_.push_back(cycle);
    return *this;
  }

  const Addresses& addresses_;
  const HostWaits waits_;
  std::vector<Cycle> cycles_;
};

void CommandCycles::check(const NandCommand& c, Interface interface, const std::string& player) const {
  const auto refuse = [&](const std::string& why) { throw ProtocolError(player + ": " + to_string(c) + ": " + why); };
  switch (c.operation) {
    case NandOperation::suspend:
    case NandOperation::resume: refuse("ONFI has no cycles for it; set controller.scheduler.suspend to none"); break;
    case NandOperation::adjust_voltage: refuse("ONFI has no cycles for it; switch voltage adjustment off"); break;
    default: break;
  }
  if (c.sensing_levels != 1 || !c.sensed_ones.empty()) {
    refuse("soft senses (sensing_levels, sensed_ones) do not go over ONFI pins; use hard reads");
  }
  if (c.retry_step != 0) {
    refuse("a retry step does not go over ONFI pins; set the offsets of the read levels, features D0h and on");
  }
  if (c.single_operation) refuse("a single-operation multiple-location read has no ONFI cycles; read whole pages");
  if (c.mode != ProgramMode::native) refuse("SLC mode (mode) does not go over ONFI pins");
  if (c.program_step_mv != 0) refuse("an ISPP step (program_step_mv) does not go over ONFI pins");
  if (!c.codeword_errors.empty()) {
    refuse("error counts (codeword_errors) do not come over ONFI pins; take a decoder that works on the bits");
  }
  if (!c.tag.empty()) {
    if (spare_ != SpareUse::tags)
      refuse("a tag does not go over ONFI pins unless it lies in the spare bytes (SpareUse::tags)");
    if (tag_bytes(c) > geometry_.spare_bytes) {
      refuse("its tag takes " + std::to_string(tag_bytes(c)) + " bytes, and a page has " +
             std::to_string(geometry_.spare_bytes) + " spare bytes");
    }
    if (c.operation != NandOperation::read && c.operation != NandOperation::program && c.bytes == 0) {
      refuse("its tag would move without its page; move the page, too");
    }
  }
  if (interface == Interface::nv_ddr && (c.first_byte % 2 != 0 || c.bytes % 2 != 0)) {
    refuse("NV-DDR moves pairs of bytes; first_byte and bytes must be even");
  }
}

void CommandCycles::page_in(Script& script, const NandCommand& c) {
  const bool to_end = c.first_byte + c.bytes == geometry_.page_bytes;
  const std::byte* const from = c.data == nullptr ? nullptr : c.data + c.first_byte;
  script.wait(script.waits().address_to_data);
  if (moves_spare(c) && to_end) {
    script.bytes_in(from, c.bytes + geometry_.spare_bytes);
    return;
  }
  if (c.bytes != 0) script.bytes_in(from, c.bytes);
  if (moves_spare(c))
    script.write_column(geometry_.page_bytes).bytes_in(c.data + geometry_.page_bytes, geometry_.spare_bytes);
  if (c.tag.empty()) return;
  tag_.clear();
  for (const std::uint64_t word : c.tag) {
    for (unsigned byte = 0; byte < sizeof word; ++byte) tag_.push_back(static_cast<std::byte>(word >> 8 * byte));
  }
  script.write_column(tag_column(c)).bytes_in(tag_.data(), tag_bytes(c));
}

std::vector<Cycle> CommandCycles::request(const NandCommand& c, TimingMode mode) {
  Script script(addresses_, mode);
  switch (c.operation) {
    case NandOperation::read:
    case NandOperation::copyback_read:
      script.command(opcode::read).column(c.first_byte).row(row(c));
      script.command(c.more_planes                                 ? opcode::read_queue_plane
                     : c.operation == NandOperation::copyback_read ? opcode::copyback_read
                                                                   : opcode::read_confirm);
      break;
    case NandOperation::program:
    case NandOperation::copyback_program:
      script.command(c.operation == NandOperation::program ? opcode::program : opcode::copyback_program);
      script.column(c.first_byte).row(row(c));
      if (c.operation == NandOperation::program || c.bytes != 0) page_in(script, c);
      script.command(c.more_planes ? opcode::program_queue_plane
                     : c.cache     ? opcode::program_cache
                                   : opcode::program_confirm);
      break;
    case NandOperation::erase:
      script.command(opcode::erase).row({0, c.plane, c.block, 0});
      script.command(c.more_planes ? opcode::erase_queue_plane : opcode::erase_confirm);
      break;
    case NandOperation::set_feature:
      for (std::size_t k = 0; k < feature_bytes; ++k) feature_[k] = std::byte{c.feature_value[k]};
      script.command(opcode::set_features).address(c.feature).wait(script.waits().address_to_data);
      script.bytes_in(feature_.data(), feature_bytes, true);
      break;
    case NandOperation::get_feature: script.command(opcode::get_features).address(c.feature); break;
    case NandOperation::read_parameter_page: script.command(opcode::read_parameter_page).address(0); break;
    default: break;
  }
  return script.busy().take();
}

std::vector<Cycle> CommandCycles::cache_read(const NandCommand& next, TimingMode mode) const {
  return Script(addresses_, mode)
      .command(opcode::read)
      .column(0)
      .row(row(next))
      .command(opcode::read_cache)
      .busy()
      .take();
}

std::vector<Cycle> CommandCycles::cache_read_end(TimingMode mode) const {
  return Script(addresses_, mode).command(opcode::read_cache_end).busy().take();
}

std::vector<Cycle> CommandCycles::status(std::byte& into, TimingMode mode) const {
  Script script(addresses_, mode);
  return script.command(opcode::read_status).wait(script.waits().write_to_read).bytes_out(&into, 1, true).take();
}

std::vector<Cycle> CommandCycles::plane_status(const NandCommand& c, std::byte& into, TimingMode mode) const {
  Script script(addresses_, mode);
  script.command(opcode::read_status_enhanced).row(row(c)).wait(script.waits().write_to_read);
  return script.bytes_out(&into, 1, true).take();
}

std::vector<Cycle> CommandCycles::response(NandCommand& c, TimingMode mode) {
  Script script(addresses_, mode);
  if (c.operation == NandOperation::get_feature) {
    script.command(opcode::read).wait(script.waits().write_to_read);
    return script.bytes_out(feature_.data(), feature_bytes, true).take();
  }
  // Nothing moves out: a look at the status ends it.
  if (c.bytes == 0) return status(feature_[0], mode);
  std::byte* const to = c.data == nullptr ? nullptr : c.data + c.first_byte;
  if (c.operation == NandOperation::read_parameter_page) {
    script.command(opcode::read).read_column(c.first_byte);
    return script.bytes_out(to, c.bytes).take();
  }
  const bool to_end = c.first_byte + c.bytes == geometry_.page_bytes;
  script.read_column(c.first_byte, row(c));
  if (moves_spare(c) && to_end) {
    script.bytes_out(to, c.bytes + geometry_.spare_bytes);
  } else {
    script.bytes_out(to, c.bytes);
    if (moves_spare(c)) {
      script.wait(script.waits().read_to_write).read_column(geometry_.page_bytes);
      script.bytes_out(c.data + geometry_.page_bytes, geometry_.spare_bytes);
    }
  }
  if (!c.tag.empty()) {
    tag_.resize(tag_bytes(c));
    script.wait(script.waits().read_to_write).read_column(tag_column(c)).bytes_out(tag_.data(), tag_bytes(c));
  }
  return script.take();
}

void CommandCycles::take_response(NandCommand& c) const {
  c.raw_bit_errors = c.worst_codeword_errors = 0;
  c.misread_probability = 0;
  c.bad_block_mark = c.erased_page = c.adjusted_block = false;
  if (c.operation == NandOperation::get_feature) {
    for (std::size_t k = 0; k < feature_bytes; ++k) c.feature_value[k] = std::to_integer<std::uint8_t>(feature_[k]);
  }
  if (programs(c.operation) || c.tag.empty()) return;
  for (std::size_t word = 0; word < c.tag.size(); ++word) {
    c.tag[word] = 0;
    for (std::size_t byte = 0; byte < sizeof(std::uint64_t); ++byte) {
      c.tag[word] |= std::to_integer<std::uint64_t>(tag_[8 * word + byte]) << 8 * byte;
    }
  }
}

std::vector<Cycle> CommandCycles::reset(std::uint8_t code, TimingMode mode) const {
  return Script(addresses_, mode).command(code).busy().take();
}

std::vector<Cycle> CommandCycles::set_timing_mode(TimingMode wanted, TimingMode mode) {
  feature_ = {std::byte{feature_value(wanted)}};
  Script script(addresses_, mode);
  script.command(opcode::set_features).address(timing_mode_feature).wait(script.waits().address_to_data);
  return script.bytes_in(feature_.data(), feature_bytes, true).take();
}

}  // namespace nandscape::rtl::onfi
