// SPDX-License-Identifier: Apache-2.0
// Reads the pages that lend parity. A codeword of a fullpage that borrows parity (see fullpage_pattern.h) can be
// decoded only together with the page that lends it, which is called its donor. The donor is read once for all reads of
// the page. If reads are grouped and the two pages share no bitlines, the die reads both in the same operation.
// Otherwise the donor is read first.
#pragma once

#include <cstdint>
#include <optional>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/fullpages/fullpage_pattern.h"
#include "controller/mapping/block_table.h"
#include "controller/reading/page_read.h"
#include "controller/reading/page_reader.h"
#include "core/archive.h"

namespace nandscape::controller {

class ParityDonors final : public CompanionReads {
 public:
  ParityDonors(const FullpagePattern& fullpages, FlashIo& io, FlashScheduler& scheduler, const BlockTable& blocks,
               PageReader& reader)
      : fullpages_(fullpages), io_(io), scheduler_(scheduler), blocks_(blocks), reader_(reader), donors_(io, *this) {}

  // Returns the donor if the codewords [first, end) of the page borrow parity, otherwise nothing.
  std::optional<CompanionPage> companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const override;
  std::optional<Ppa> borrower_of(Ppa first_unit) const override;
  bool start(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now) override;

  // Returns the number of pages that had to be read only for the parity that they lend.
  std::uint64_t lone_reads() const { return lone_reads_; }
  void persist_counters(Archive& archive) { archive(lone_reads_); }

 private:
  struct DonorRead final : GroupedRead {
    explicit DonorRead(ParityDonors& donors) : owner(donors) { reads_hard = true; }
    void array_done(Tick now) override { owner.came(*this, now); }
    void gathered(const OpQueue& reads, Tick now) override { borrower->gathered(reads, now); }

    ParityDonors& owner;
    PageRead* borrower = nullptr;
  };

  // Returns whether the block contains fullpages that are spread over its layers.
  bool lie_across(Superblock block) const { return blocks_.frontier_mark(block); }
  CodeNumber code(const Place& place) const {
    return fullpages_.code(place.page_of_block, place.block_of_plane.value % layer_quarters);
  }
  void send_with_donor(PageRead& read, const CompanionPage& donor, Tick now);
  void came(DonorRead& donor, Tick now);

  const FullpagePattern& fullpages_;
  FlashIo& io_;
  FlashScheduler& scheduler_;
  const BlockTable& blocks_;
  PageReader& reader_;
  OpPool<DonorRead, ParityDonors> donors_;
  std::uint64_t lone_reads_ = 0;
};

}  // namespace nandscape::controller
