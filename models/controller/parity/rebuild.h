// SPDX-License-Identifier: Apache-2.0
// Makes what a page held that cannot be corrected: reads the same part of all other pages of its row, each decoded but
// still scrambled, and adds them up. The sum is what went to flash as the lost page, with its tag, and takes the way
// through the decoder that every page takes. Where no data are kept, only whether it can be done is found out.
#pragma once

#include <cstdint>

#include "controller/flash_io.h"
#include "controller/parity/parity_counters.h"
#include "core/archive.h"

namespace nandscape {

class Rebuild {
 public:
  explicit Rebuild(FlashIo& io) : io_(io) {}

  // Its block stays pinned by the read.
  void start(FlashTransaction& lost, Tick now);
  // A page of its row has been read. Returns whether it is known that the lost page cannot be made; it is decoded once
  // the last one was read and none has failed.
  bool page_read(FlashTransaction& read);
  // The lost page has been decoded.
  void decoded(const FlashTransaction& lost);

  const ParityCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  void clear(FlashTransaction& lost) const;
  void add(FlashTransaction& lost, const FlashTransaction& read) const;

  FlashIo& io_;
  ParityCounters counters_;
};

}  // namespace nandscape
