// SPDX-License-Identifier: Apache-2.0
// Sends flash operations (ops) from the mapping to the flash. It provides each op with a buffer, a flash address and
// ECC jobs, and passes the op to the scheduler.
#pragma once

#include <cstdint>
#include <span>

#include "controller/addresses/flash_layout.h"
#include "controller/flash_ops/data_path.h"
#include "controller/flash_ops/flash_times.h"
#include "controller/flash_ops/page_buffers.h"
#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "core/divisor.h"

namespace nandscape::controller {

// The connection to the ECC engines.
class EccPort {
 public:
  // Sends a job to the engine that serves the channel and the code of the job. FlashOp::coded() is called when the job
  // is done.
  virtual void submit(ChannelId channel, EccJob& job) = 0;

 protected:
  ~EccPort() = default;
};

class FlashIo {
 public:
  // `codes_in_tags` means that the tag of each page contains the number of the code with which it was encoded. `times`
  // is null if latency parts are not recorded.
  FlashIo(const FlashLayout& layout, const DataPath& path, FlashScheduler& scheduler, EccPort& ecc,
          bool codes_in_tags = false, FlashTimes* times = nullptr);

  const FlashLayout& layout() const { return layout_; }
  const DataPath& path() const { return path_; }

  // Must be called at the begin and the end of each use of an op. lend_buffer() assigns a page buffer to the op, unless
  // the simulation stores no data and needs no buffers. give_buffer_back() releases this buffer.
  void lend_buffer(FlashOp& op) {
    ++in_use_;
    if (buffers_.used()) add_buffer(op);
  }
  void give_buffer_back(FlashOp& op) {
    --in_use_;
    if (op.buffer != nullptr) buffers_.release(*op.buffer);
  }
  // The number of ops that are in use.
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
  // Sets the flash plane of a program. The block and the page are set later, when the scheduler is about to send the
  // program.
  void set_plane(FlashOp& op, FlashPlane flash_plane) const;

  // Sets the bytes that the op reads: all codewords that contain bytes of [first, end).
  void set_bytes(FlashOp& op, std::uint32_t first, std::uint32_t end) const {
    const std::uint32_t bytes = codeword_.value();
    op.command.first_byte = static_cast<std::uint32_t>(codeword_.quotient(first)) * bytes;
    op.command.bytes = static_cast<std::uint32_t>(codeword_.quotient(end - op.command.first_byte + bytes - 1)) * bytes;
  }

  // Reads the bytes [first_byte, first_byte + bytes) of the page. These must be whole codewords. Also reads the page's
  // tag if the command requests it.
  void read(FlashOp& op, Tick now) {
    if (asks_for_more_ || op.times != nullptr) [[unlikely]]
      return read_and_ask(op, now);
    op.command.operation = NandOperation::read;
    scheduler_.enqueue(op, now);
  }
  // Requests the page's tag if a page holds several units, because the scrambler key then depends on the first unit's
  // logical address, which only the tag contains.
  void ask_for_key(FlashOp& read) const {
    if (layout_.units_per_page() != 1 && path_.scramble) ask_for_tag(read);
  }
  // Prepares a read that another op will send together with its own command.
  void prepare_read(FlashOp& op) const {
    op.command.operation = NandOperation::read;
    if (codes_in_tags_ && op.command.tag.empty()) ask_for_tag(op);
    if (path_.count_codeword_errors) ask_for_codeword_errors(op);
  }
  // Prepares the op as a second read of the bytes that `read` reads.
  void copy_read(FlashOp& op, const FlashOp& read) const;
  // Sets the number of times that the next command of the read senses each read level to `levels`. Previous reads have
  // already made `earlier` of these senses.
  void set_sensing_levels(FlashOp& read, std::uint32_t levels, std::uint32_t earlier = 0) const {
    read.command.sensing_levels = static_cast<std::uint8_t>(levels);
    read.command.earlier_levels = static_cast<std::uint8_t>(earlier);
    read.command.sensed_ones = {};
    if (levels != 1 && path_.content == PageContent::data_and_spare) ask_for_sensed_ones(read);
  }
  // Sends the page that the op has read to an ECC engine, which decodes and descrambles it.
  void decode(FlashOp& op);
  // Sends the op's page to an ECC engine, which scrambles it and encodes it with the code `op.ecc.code`.
  void encode(FlashOp& op);
  // Encodes a page a second time, with another code. The page must already be scrambled.
  void encode_again(FlashOp& op);
  // Returns the number of errors per codeword that the page's code can correct. May be called only after decode(),
  // which determines the code.
  std::uint32_t correctable_bits(const FlashOp& read) const { return path_.codes[read.ecc.code].correctable_bits; }
  void enqueue(FlashOp& op, Tick now, QueuePosition position = QueuePosition::by_policy) {
    if (op.times != nullptr) [[unlikely]]
      times_->enqueued(op, now);
    scheduler_.enqueue(op, now, position);
  }
  // Ops that are enqueued between these two calls can form one operation. See FlashScheduler.
  void hold() { scheduler_.hold(); }
  void send_held(Tick now) { scheduler_.send_held(now); }

  // Starts to record the latency parts of the op if the latency parts of the access are recorded. May be called several
  // times, because an op may serve several accesses.
  void begin_times(FlashOp& op, const PageAccess& access, Tick now) {
    if (access.times != nullptr) [[unlikely]]
      begin_times(op, now);
  }
  // Adds the op's latency parts to the latency parts of the access, if these are recorded.
  static void give_times(const FlashOp& op, PageAccess& access, Tick now);
  void end_times(FlashOp& op) {
    if (op.times != nullptr) [[unlikely]]
      times_->end(op);
  }
  bool keeps_times() const { return times_ != nullptr; }

 private:
  [[gnu::noinline]] void add_buffer(FlashOp& op) {
    op.buffer = &buffers_.acquire();
    op.command.data = op.buffer->data.get();
  }
  // Reads the page, and asks for its tag and for the errors of its codewords if they are needed.
  [[gnu::noinline]] void read_and_ask(FlashOp& op, Tick now);
  void begin_times(FlashOp& op, Tick now);
  void ask_for_tag(FlashOp& read) const { read.command.tag = std::span(read.tag).first(2 * layout_.units_per_page()); }
  void ask_for_codeword_errors(FlashOp& read) const;
  void ask_for_sensed_ones(FlashOp& read) const;
  void submit_encode(FlashOp& op, bool scramble);

  // Each op uses the members up to in_use_, which fill a cache line.
  alignas(64) const FlashLayout& layout_;
  const Divisor codeword_;  // bytes of the longest codeword
  FlashScheduler& scheduler_;
  EccPort& ecc_;
  FlashTimes* const times_;
  const bool codes_in_tags_;
  const bool asks_for_more_;  // reads also ask for the tag or for the errors of the codewords
  std::size_t in_use_ = 0;
  const DataPath path_;
  PageBuffers buffers_;
};

}  // namespace nandscape::controller
