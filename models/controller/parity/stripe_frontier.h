// SPDX-License-Identifier: Apache-2.0
// Each stream fills superblocks of each stripe set, in which each row has a page of parity (see stripe_writer.h). Pages
// wait for others of their row. A superblock is given up when a program in one of its members fails.
#pragma once

#include <cstdint>
#include <optional>

#include "controller/mapping/block_pins.h"
#include "controller/parity/stripe_writer.h"
#include "controller/writing/write_frontier.h"
#include "core/calendar.h"

namespace nandscape::controller {

class StripeFrontier final : public WriteFrontier {
 public:
  // Pages that move data may go to the reserve stream if their own stream has no block.
  StripeFrontier(FlashIo& io, PagePool& pages, BlockTable& blocks, BlockPins& pins, Calendar& calendar,
                 std::uint8_t streams, std::uint8_t reserve_stream, std::uint8_t lasting_stream);

  void assign(PageProgram& page) override;
  void assign_padding(PageProgram& padding, FlashPlane plane) override;
  bool has_block(std::uint8_t stream, FlashPlane plane) const override { return stripes_.block(stream, plane).valid(); }
  bool has_room(std::uint8_t stream, FtlPlane set) const override { return stripes_.has_room(stream, set); }
  void open(const PageProgram& page, FtlPlane set, Superblock block) override {
    stripes_.taken(page.write_stream, set, block);
  }
  void place(PageProgram& page, Tick now) override { stripes_.place(page, now); }
  std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const override;

  bool keeps_pages_together() const override { return true; }
  bool stands_aside(const PageProgram& page) const override {
    return stripes_.at_parity(page.write_stream, page.plane);
  }
  bool takes_withdrawn(PageProgram& page, Tick now) override;
  void left(std::uint8_t stream, FlashPlane plane) override;
  void send_held(FtlPlane set) override;

  bool place_added(PageProgram& parity) override { return stripes_.place_parity(parity); }
  void added_withdrawn(PageProgram& parity, Tick now) override;
  void added_programmed(PageProgram& parity, Tick now) override;
  std::uint64_t added_pages() const override { return stripes_.parity_pages(); }
  std::size_t open_groups() const override { return stripes_.open_rows(); }

  std::uint64_t next(std::uint8_t stream, FlashPlane plane) const override { return stripes_.next_row(stream, plane); }
  std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const override {
    return stripes_.data_rows(stream, plane, end);
  }
  bool padding_needed(const PageProgram& padding) const override {
    return has_block(padding.write_stream, padding.plane);
  }
  void close(std::uint8_t stream, FtlPlane set) override;
  void complete(std::uint8_t stream, FlashPlane plane) override {
    complete_rows(stream, io_.layout().mapping_plane(plane));
  }
  void complete_groups(bool all) override;
  bool pads_with_reserve(std::uint8_t stream, bool) const override { return stream == lasting_stream_; }
  void failed(PageProgram& page, Tick now) override;

  void resume(std::uint8_t stream, FtlPlane set, Superblock block, std::uint32_t rows) override {
    stripes_.resume(stream, set, block, rows);
  }
  std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const override;
  void persist(Archive& archive) override { stripes_.persist(archive); }
  void persist_counters(Archive& archive) override { stripes_.persist_counters(archive); }
  bool writes_to(std::uint8_t stream, Superblock block) const override;
  bool writes_to_all(std::size_t) const override { return true; }
  void list_waiting(std::ostream& out) const override { stripes_.list_waiting(out); }

 private:
  void assigned_again(std::uint8_t stream, FlashPlane plane);
  void complete_rows(std::uint8_t stream, FtlPlane set);

  FlashIo& io_;
  PagePool& pages_;
  BlockTable& blocks_;
  BlockPins& pins_;
  const std::uint8_t streams_;
  const std::uint8_t reserve_stream_;
  const std::uint8_t lasting_stream_;
  const std::uint32_t pages_per_block_;
  const std::uint32_t pages_per_wordline_;
  StripeWriter stripes_;
};

}  // namespace nandscape::controller
