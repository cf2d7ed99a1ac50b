// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/command_cycles.h"

#include <array>
#include <span>
#include <utility>

#include "core/error.h"
#include "rtl/onfi/commands.h"

namespace nandscape::rtl::onfi {

// Builds a list of cycles step by step.
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

CommandCycles::CommandCycles(const Geometry& geometry, const SpareUse& spare)
    : geometry_(geometry), addresses_(geometry), parity_bytes_(spare.parity_bytes), tag_(spare.tag_words) {
  if (spare.bytes() <= geometry.spare_bytes) return;
  throw ConfigError({}, "nand.geometry.spare_bytes",
                    "is " + std::to_string(geometry.spare_bytes) + ", but at ONFI pins it must hold " +
                        std::to_string(parity_bytes_) + " bytes of parity and " + std::to_string(tag_.bytes()) +
                        " of the tag; make it " + std::to_string(spare.bytes()) + " or more");
}

void CommandCycles::check(const NandCommand& c, Interface interface, const std::string& player) const {
  const auto refuse = [&](const std::string& why) { throw ProtocolError(player + ": " + to_string(c) + ": " + why); };
  switch (c.operation) {
    case NandOperation::suspend:
    case NandOperation::resume: refuse("ONFI has no cycles for it; set controller.scheduler.suspend to none"); break;
    case NandOperation::adjust_voltage: refuse("ONFI has no cycles for it; switch voltage adjustment off"); break;
    default: break;
  }
  if (c.sensing_levels != 1 || !c.sensed_ones.empty()) {
    refuse("ONFI pins carry no soft senses (sensing_levels, sensed_ones); use hard reads");
  }
  if (c.retry_step != 0) {
    refuse("ONFI pins carry no retry step; set the offsets of the read levels, features D0h and on");
  }
  if (c.single_operation) refuse("a single-operation multiple-location read has no ONFI cycles; read whole pages");
  if (c.independent) refuse("reads of single planes while others read have no ONFI cycles (independent)");
  if (c.mode != ProgramMode::native) refuse("ONFI pins carry no SLC mode (mode)");
  if (c.program_step_mv != 0) refuse("ONFI pins carry no ISPP step (program_step_mv)");
  if (!c.tag.empty()) {
    if (tag_.words() == 0) {
      refuse("ONFI pins carry a tag only if the spare bytes have room for it (SpareUse::tag_words)");
    }
    const std::size_t words = geometry_.page_bytes / sizeof(std::uint64_t);
    if (tag_.is_long(c.tag.size()) && c.tag.size() > words) {
      refuse("its tag has " + std::to_string(c.tag.size()) + " words, but a page holds " + std::to_string(words));
    }
  }
  if (interface == Interface::nv_ddr && (c.first_byte % 2 != 0 || c.bytes % 2 != 0)) {
    refuse("NV-DDR moves pairs of bytes; first_byte and bytes must be even");
  }
}

void CommandCycles::page_in(Script& script, const NandCommand& c) {
  const bool writes_tag = tag_.words() != 0 && (c.operation == NandOperation::program || !c.tag.empty());
  if (writes_tag) tag_.fill(c.tag);
  script.wait(script.waits().address_to_data);
  if (writes_tag && tag_.is_long(c.tag.size())) {
    if (c.first_byte != 0) script.write_column(0);
    script.bytes_in(tag_.long_words().data(), static_cast<std::uint32_t>(tag_.long_words().size()));
    script.write_column(tag_column()).bytes_in(tag_.field(), tag_.bytes());
    return;
  }
  std::uint32_t column = c.first_byte;
  const auto bytes_in = [&](std::uint32_t at, const std::byte* from, std::uint32_t count) {
    // In NV-DDR, bytes are transferred in pairs, so a transfer must begin at an even column.
    if (column != at || column % 2 != 0) script.write_column(at);
    script.bytes_in(from, count);
    column = at + count;
  };
  if (c.bytes != 0) bytes_in(c.first_byte, c.data == nullptr ? nullptr : c.data + c.first_byte, c.bytes);
  if (c.bytes != 0 && moves_parity(c)) bytes_in(geometry_.page_bytes, c.data + geometry_.page_bytes, parity_bytes_);
  if (writes_tag) bytes_in(tag_column(), tag_.field(), tag_.bytes());
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
      if (c.operation == NandOperation::program || c.bytes != 0 || !c.tag.empty()) page_in(script, c);
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
  const bool page = c.operation != NandOperation::read_parameter_page;
  // If there is no data-out, the command ends with a read of the status.
  if (c.bytes == 0 && !(page && reads_tag(c))) return status(feature_[0], mode);
  std::byte* const to = c.data == nullptr ? nullptr : c.data + c.first_byte;
  if (!page) {
    script.command(opcode::read).read_column(c.first_byte);
    return script.bytes_out(to, c.bytes).take();
  }
  std::uint32_t column = c.bytes != 0 ? c.first_byte : tag_column();
  script.read_column(column, row(c));
  const auto bytes_out = [&](std::uint32_t at, std::byte* bytes, std::uint32_t count) {
    if (column != at || column % 2 != 0) script.wait(script.waits().read_to_write).read_column(at);
    script.bytes_out(bytes, count);
    column = at + count;
  };
  if (c.bytes != 0) bytes_out(c.first_byte, to, c.bytes);
  if (c.bytes != 0 && moves_parity(c)) bytes_out(geometry_.page_bytes, c.data + geometry_.page_bytes, parity_bytes_);
  if (!reads_tag(c)) return script.take();
  bytes_out(tag_column(), tag_.field(), tag_.bytes());
  if (tag_.is_long(c.tag.size())) {
    tag_.long_words().resize(c.tag.size_bytes());
    bytes_out(0, tag_.long_words().data(), static_cast<std::uint32_t>(c.tag.size_bytes()));
  }
  return script.take();
}

bool CommandCycles::reads_tag(const NandCommand& c) const {
  const bool reads = c.operation == NandOperation::read || c.operation == NandOperation::copyback_read;
  return reads && tag_.words() != 0 && (c.bytes != 0 || !c.tag.empty());
}

void CommandCycles::take_response(NandCommand& c) {
  c.raw_bit_errors = c.worst_codeword_errors = 0;
  c.misread_probability = 0;
  c.codeword_errors = {};
  c.bad_block_mark = c.erased_page = c.adjusted_block = false;
  if (c.operation == NandOperation::get_feature) {
    for (std::size_t k = 0; k < feature_bytes; ++k) c.feature_value[k] = std::to_integer<std::uint8_t>(feature_[k]);
  }
  if (!reads_tag(c)) return;
  c.erased_page = tag_.content() == SpareTag::Content::erased;
  if (tag_.content() == SpareTag::Content::damaged) c.raw_bit_errors = c.worst_codeword_errors = 4 * c.bytes;
  tag_.take(c.tag);
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
