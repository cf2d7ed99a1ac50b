// SPDX-License-Identifier: Apache-2.0
// The way from the mapping to the flash: transactions with their buffers, addresses, ECC jobs and the scheduler.
#pragma once

#include <cstdint>

#include "controller/data_path.h"
#include "controller/mapping/flash_layout.h"
#include "controller/page_buffers.h"
#include "controller/scheduler/flash_scheduler.h"
#include "core/pool.h"

namespace nandscape {

// The ECC engines of the channels.
class EccPort {
 public:
  virtual void submit(ChannelId channel, EccJob& job) = 0;

 protected:
  ~EccPort() = default;
};

class FlashIo {
 public:
  FlashIo(const FlashLayout& layout, const DataPath& path, FlashScheduler& scheduler, EccPort& ecc);

  const FlashLayout& layout() const { return layout_; }
  const DataPath& path() const { return path_; }

  FlashTransaction& acquire(Purpose purpose);
  void release(FlashTransaction& transaction);
  std::size_t in_use() const { return transactions_.in_use(); }

  // The page of the flash that a transaction is about.
  static void set_address(FlashTransaction& transaction, const Place& place);
  // The plane of the flash that it goes to; its page is chosen when the scheduler sends it.
  void set_plane(FlashTransaction& transaction, PlaneId flash_plane) const;

  // Reads the bytes [first, first + bytes) of the page, a whole number of codewords; its tag too where it is asked for.
  void read(FlashTransaction& transaction, Tick now);
  // Makes the transaction a read that another is to send along.
  void prepare_read(FlashTransaction& transaction) const;
  // Makes the transaction one more read of the same bytes.
  void copy_read(FlashTransaction& transaction, const FlashTransaction& read) const;
  // Once it is sent, or sent again, the read goes by so many senses of each read level, of which it has made some
  // before.
  void set_sensing_levels(FlashTransaction& read, std::uint32_t levels, std::uint32_t earlier = 0) const;
  void decode(FlashTransaction& transaction);
  void encode(FlashTransaction& transaction);
  void enqueue(FlashTransaction& transaction, Tick now) { scheduler_.enqueue(transaction, now); }
  void enqueue_again(FlashTransaction& read, Tick now) { scheduler_.enqueue_again(read, now); }
  void enqueue_first(FlashTransaction& write, Tick now) { scheduler_.enqueue_first(write, now); }

 private:
  void ask_for_codeword_errors(FlashTransaction& read) const;

  const FlashLayout& layout_;
  const DataPath path_;
  FlashScheduler& scheduler_;
  EccPort& ecc_;
  Pool<FlashTransaction> transactions_;
  PageBuffers buffers_;
};

}  // namespace nandscape
