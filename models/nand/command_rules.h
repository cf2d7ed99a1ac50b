// SPDX-License-Identifier: Apache-2.0
// The rules by which a die refuses commands even when it is not busy. The die refuses a command if its address does not
// exist, if the state of the blocks and registers forbids it, or if other commands that are loaded or suspended forbid
// it. A refusal throws a ProtocolError, whose message lists the die's recent commands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "nand/features.h"
#include "nand/nand_array.h"
#include "nand/timing.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

class CommandRules {
 public:
  using Commands = NandArray::Commands;

  // `name` is the name of the die, which appears in messages. All arguments must outlive this object.
  CommandRules(const std::string& name, const Geometry& geometry, const NandTiming& timing, const DieFeatures& features,
               const NandArray& array)
      : geometry_(geometry), timing_(timing), array_(array), name_(name), features_(features) {}

  // Each check throws ProtocolError if the command is not allowed.
  void check_address(const NandCommand& c) const {
    if (c.plane.value >= geometry_.planes_per_die || c.block.value >= geometry_.blocks_per_plane ||
        c.page >= geometry_.pages_per_block) {
      refuse_address(c);
    }
    if (c.first_byte + c.bytes > geometry_.page_bytes && c.operation != NandOperation::read_parameter_page) {
      refuse_long(c);
    }
  }
  // `suspended` holds the commands of the suspended operation. `queued` holds the commands that are already loaded for
  // the operation that the read joins.
  void check_read(const NandCommand& read, Commands suspended, Commands queued) const {
    if (!suspended.empty()) [[unlikely]]
      check_suspended(read, suspended);
    if (!array_.blocks().ordinary()) [[unlikely]]
      check_coded(read);
    if (read.single_operation) [[unlikely]]
      check_single_operation(read, queued);
    if (read.sensing_levels != 1) [[unlikely]]
      check_soft(read);
  }
  void check_independent(const NandCommand& read) const;
  void check_program(const NandCommand& program) const;
  void check_adjustment(const NandCommand& adjustment) const;
  void check_feature(const NandCommand& command) const;
  void check_parameter_page(const NandCommand& command) const;

  [[noreturn]] void refuse(const NandCommand& command, const std::string& reason) const;

  // Records a command that the die has accepted, so that later messages can list it.
  void remember(const NandCommand& command) {
    std::memcpy(history_[history_length_++ % history_.size()].data(), &command, traced_bytes);
  }

 private:
  // Messages show only members of a command that come before `bytes`. The history stores these members and `bytes`, so
  // that each entry lies in one cache line.
  static constexpr std::size_t traced_bytes = offsetof(NandCommand, first_byte);
  static_assert(traced_bytes == 32);
  using Trace = std::array<std::byte, traced_bytes>;
  static_assert(std::is_trivially_copyable_v<NandCommand>);

  static NandCommand traced(const Trace& trace);

  [[noreturn]] void refuse_address(const NandCommand& command) const;
  [[noreturn]] void refuse_long(const NandCommand& command) const;
  void check_suspended(const NandCommand& read, Commands suspended) const;
  void check_coded(const NandCommand& read) const;
  void check_second_pass(const NandCommand& program) const;
  void check_single_operation(const NandCommand& read, Commands queued) const;
  void check_soft(const NandCommand& read) const;

  const Geometry& geometry_;
  const NandTiming& timing_;
  const NandArray& array_;
  std::size_t history_length_ = 0;
  std::array<Trace, 8> history_{};
  const std::string& name_;
  const DieFeatures& features_;
};

}  // namespace nandscape::nand
