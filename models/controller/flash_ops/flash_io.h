// SPDX-License-Identifier: Apache-2.0
// Sends ops from the mapping to the flash: gives them buffers, addresses and ECC jobs, and hands them to the scheduler.
#pragma once

#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/flash_ops/data_path.h"
#include "controller/flash_ops/flash_times.h"
#include "controller/flash_ops/page_buffers.h"
#include "controller/flash_ops/scheduler/flash_scheduler.h"

namespace nandscape::controller {

// The ECC engines.
class EccPort {
 public:
  virtual void submit(ChannelId channel, EccJob& job) = 0;

 protected:
  ~EccPort() = default;
};

class FlashIo {
 public:
  // `codes_in_tags`: page tags name the code of the page. `times` is null unless latency parts are recorded.
  FlashIo(const FlashLayout& layout, const DataPath& path, FlashScheduler& scheduler, EccPort& ecc,
          bool codes_in_tags = false, FlashTimes* times = nullptr);

  const FlashLayout& layout() const { return layout_; }
  const DataPath& path() const { return path_; }

  // Begin and end the use of an op. The op gets a buffer, if ops have buffers, and gives it back at the end.
  void lend_buffer(FlashOp& op) {
    ++in_use_;
    if (!buffers_.used()) return;
    op.buffer = &buffers_.acquire();
    op.command.data = op.buffer->data.get();
  }
  void give_buffer_back(FlashOp& op) {
    --in_use_;
    if (op.buffer != nullptr) buffers_.release(*op.buffer);
  }
  // Number of ops in use.
  std::size_t in_use() const { return in_use_; }

  // Sets the flash page that the op addresses.
  static void set_address(FlashOp& op, const Place& place) {
    op.channel = place.channel;
    op.plane = place.plane;
    op.command.die = place.die_of_channel;
    op.command.plane = place.plane_of_die;
    op.command.block = place.block_of_plane;
    op.command.page = place.page_of_block;
  }
  // Sets the flash plane of a program; its page is chosen when the scheduler sends it.
  void set_plane(FlashOp& op, FlashPlane flash_plane) const;

  // Reads the bytes [first_byte, first_byte + bytes) of the page, a whole number of codewords. Also reads the page's
  // tag if the command asks for it.
  void read(FlashOp& op, Tick now) {
    prepare_read(op);
    enqueue(op, now);
  }
  // Asks for the page's tag if the page holds several units, since the scrambler key is then known only from the tag.
  void ask_for_key(FlashOp& read) const {
    if (layout_.units_per_page() != 1 && path_.scramble) ask_for_tag(read);
  }
  // Prepares a read that another op will send together with its own command.
  void prepare_read(FlashOp& op) const {
    op.command.operation = NandOperation::read;
    if (codes_in_tags_ && op.command.tag.empty()) ask_for_tag(op);
    if (path_.count_codeword_errors) ask_for_codeword_errors(op);
  }
  // Makes `copy` another read of the same bytes.
  void copy_read(FlashOp& op, const FlashOp& read) const;
  // From its next command on, the read senses each read level `levels` times; previous reads have made `earlier` of
  // these senses.
  void set_sensing_levels(FlashOp& read, std::uint32_t levels, std::uint32_t earlier = 0) const {
    read.command.sensing_levels = static_cast<std::uint8_t>(levels);
    read.command.earlier_levels = static_cast<std::uint8_t>(earlier);
    read.command.sensed_ones = {};
    if (levels != 1 && path_.content == PageContent::data_and_spare) ask_for_sensed_ones(read);
  }
  void decode(FlashOp& op);
  // Encodes with the code that the job names.
  void encode(FlashOp& op);
  // Encodes a page again with another code.
  void encode_again(FlashOp& op);
  // The number of errors that the page's code corrects per codeword. Valid after decoding.
  std::uint32_t correctable_bits(const FlashOp& read) const { return path_.codes[read.ecc.code].correctable_bits; }
  void enqueue(FlashOp& op, Tick now, QueuePosition position = QueuePosition::by_policy) {
    if (op.times != nullptr) [[unlikely]]
      times_->enqueued(op, now);
    scheduler_.enqueue(op, now, position);
  }

  // Records the op's latency parts from now on, if those of the access are recorded. The op may serve several accesses.
  void begin_times(FlashOp& op, const PageAccess& access, Tick now) {
    if (access.times != nullptr) [[unlikely]]
      begin_times(op, now);
  }
  // Adds the op's latency parts to those of the access.
  static void give_times(const FlashOp& op, PageAccess& access, Tick now);
  void end_times(FlashOp& op) {
    if (op.times != nullptr) [[unlikely]]
      times_->end(op);
  }
  bool keeps_times() const { return times_ != nullptr; }

 private:
  void begin_times(FlashOp& op, Tick now);
  void ask_for_tag(FlashOp& read) const { read.command.tag = std::span(read.tag).first(2 * layout_.units_per_page()); }
  void ask_for_codeword_errors(FlashOp& read) const;
  void ask_for_sensed_ones(FlashOp& read) const;
  void submit_encode(FlashOp& op, bool scramble);

  const FlashLayout& layout_;
  const DataPath path_;
  FlashScheduler& scheduler_;
  EccPort& ecc_;
  const bool codes_in_tags_;
  FlashTimes* const times_;
  std::size_t in_use_ = 0;
  PageBuffers buffers_;
};

}  // namespace nandscape::controller
