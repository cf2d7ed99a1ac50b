// SPDX-License-Identifier: Apache-2.0
// The way from the mapping to the flash: the buffers of ops, addresses, ECC jobs and the scheduler.
#pragma once

#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/flash_ops/data_path.h"
#include "controller/flash_ops/flash_times.h"
#include "controller/flash_ops/page_buffers.h"
#include "controller/flash_ops/scheduler/flash_scheduler.h"

namespace nandscape::controller {

// The ECC engines of the channels.
class EccPort {
 public:
  virtual void submit(ChannelId channel, EccJob& job) = 0;

 protected:
  ~EccPort() = default;
};

class FlashIo {
 public:
  // `codes_in_tags`: the tags of pages say which code they are of. `times` is null where nobody wants to know where the
  // time goes.
  FlashIo(const FlashLayout& layout, const DataPath& path, FlashScheduler& scheduler, EccPort& ecc,
          bool codes_in_tags = false, FlashTimes* times = nullptr);

  const FlashLayout& layout() const { return layout_; }
  const DataPath& path() const { return path_; }

  // A buffer, for an op that is being used from now on, where ops have any; and its end.
  void lend_buffer(FlashOp& op);
  void give_buffer_back(FlashOp& op);
  // Ops that are being used.
  std::size_t in_use() const { return in_use_; }

  // The page of the flash that an op is about.
  static void set_address(FlashOp& op, const Place& place);
  // The plane of the flash that it goes to; its page is chosen when the scheduler sends it.
  void set_plane(FlashOp& op, FlashPlane flash_plane) const;

  // Whether the page that the program goes to is the last one of its wordline.
  bool ends_wordline(const FlashOp& program) const {
    const std::uint32_t end = program.command.page + 1;
    return end % path_.pages_per_wordline == 0 || end == layout_.flash().pages_per_block;
  }

  // Reads the bytes [first, first + bytes) of the page, a whole number of codewords; its tag too where it is asked for.
  void read(FlashOp& op, Tick now);
  // Where the units of a page lie together, the key of its scrambler is not known until its tag is read with it.
  void ask_for_key(FlashOp& read) const {
    if (layout_.units_per_page() == 1 || !path_.scramble) return;
    read.command.tag = std::span(read.tag).first(2 * layout_.units_per_page());
  }
  // Makes the op a read that another is to send along.
  void prepare_read(FlashOp& op) const;
  // Makes the op one more read of the same bytes.
  void copy_read(FlashOp& op, const FlashOp& read) const;
  // Once it is sent, or sent again, the read goes by so many senses of each read level, of which it has made some
  // before.
  void set_sensing_levels(FlashOp& read, std::uint32_t levels, std::uint32_t earlier = 0) const;
  void decode(FlashOp& op);
  // By the code that the job names.
  void encode(FlashOp& op);
  // A page that is encoded already, by another code.
  void encode_again(FlashOp& op);
  // Errors that a codeword of the page bears, once it has been decoded.
  std::uint32_t correctable_bits(const FlashOp& read) const { return path_.codes[read.ecc.code].correctable_bits; }
  void enqueue(FlashOp& op, Tick now) {
    note_enqueued(op, now);
    scheduler_.enqueue(op, now);
  }
  void enqueue_again(FlashOp& read, Tick now) {
    note_enqueued(read, now);
    scheduler_.enqueue_again(read, now);
  }
  void enqueue_first(FlashOp& write, Tick now) {
    note_enqueued(write, now);
    scheduler_.enqueue_first(write, now);
  }

  // The times of what the access waits for are kept from now on, if its own are; the op may serve several.
  void begin_times(FlashOp& op, const PageAccess& access, Tick now) {
    if (access.times != nullptr) [[unlikely]]
      begin_times(op, now);
  }
  // The access has them now.
  static void give_times(const FlashOp& op, PageAccess& access, Tick now);
  void end_times(FlashOp& op) {
    if (op.times != nullptr) [[unlikely]]
      times_->end(op);
  }
  bool keeps_times() const { return times_ != nullptr; }

 private:
  void begin_times(FlashOp& op, Tick now);
  void note_enqueued(FlashOp& op, Tick now) {
    if (op.times != nullptr) [[unlikely]]
      times_->enqueued(op, now);
  }
  void ask_for_codeword_errors(FlashOp& read) const;
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
