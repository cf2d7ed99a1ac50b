// SPDX-License-Identifier: Apache-2.0
// Each stream fills one block of each plane, page by page.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "controller/writing/write_frontier.h"
#include "controller/writing/write_streams.h"

namespace nandscape::controller {

class PlainFrontier : public WriteFrontier {
 public:
  PlainFrontier(FlashIo& io, BlockTable& blocks, const WriteStreams& streams);

  bool has_block(std::uint8_t stream, FlashPlane plane) const final { return at(stream, plane).block.valid(); }
  bool has_room(std::uint8_t stream, FtlPlane plane) const final { return has_block(stream, of_flash(plane)); }
  std::uint64_t open_to_all() const final { return open_to_all_; }
  void open(const PageProgram& page, FtlPlane plane, Superblock block) override;
  void close(std::uint8_t stream, FtlPlane plane) final;
  void place(PageProgram& page, Tick now) final;
  std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const override {
    return next_page(page.write_stream, page.plane, may_open);
  }

  bool has_wordlines_for_pairs() const override { return true; }
  std::uint64_t next(std::uint8_t stream, FlashPlane plane) const final { return at(stream, plane).next_page; }
  std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const final {
    return end - at(stream, plane).next_page;
  }
  bool padding_needed(const PageProgram& padding) const final;
  void complete(std::uint8_t stream, FlashPlane plane) final;
  bool pads_with_reserve(std::uint8_t, bool host_may_take_block) const final { return !host_may_take_block; }
  void failed(PageProgram& page, Tick now) final;

  void resume(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t pages) final;
  std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const override;
  void persist(Archive& archive) final;
  bool writes_to(std::uint8_t stream, Superblock block) const final;
  bool writes_to_all(std::size_t open_blocks) const final;
  void list_write_point(std::uint8_t stream, FlashPlane plane, std::ostream& out) const final;

 protected:
  struct RowAndMember {
    std::uint32_t row;
    std::uint32_t member;
  };
  // The row and member of the page that is written at that position of a block.
  virtual RowAndMember page_at(std::uint32_t position, std::uint8_t /*stream*/) const { return {position, 0}; }

  struct OpenBlock {
    Superblock block;
    std::uint32_t next_page = 0;  // position in the order of writing
    bool closing = false;         // the block takes no more pages once its wordline is complete
  };
  OpenBlock& at(std::uint8_t stream, FlashPlane plane) { return open_[std::size_t{stream} * planes_ + plane.value]; }
  const OpenBlock& at(std::uint8_t stream, FlashPlane plane) const {
    return open_[std::size_t{stream} * planes_ + plane.value];
  }
  std::optional<std::uint32_t> next_page(std::uint8_t stream, FlashPlane plane, bool may_open) const;
  void complete_wordline(std::uint8_t stream, FlashPlane plane);
  // A block lies on one plane, so the planes of the mapping are those of the flash.
  FlashPlane of_flash(FtlPlane plane) const { return io_.layout().flash_plane(plane, 0); }
  FlashIo& io() const { return io_; }
  BlockTable& blocks() const { return blocks_; }
  std::uint32_t pages_per_wordline() const { return pages_per_wordline_; }

 private:
  void leave_if_done(OpenBlock& to, std::uint8_t stream);
  void leave(OpenBlock& to, std::uint8_t stream);
  bool takes_all(std::uint8_t stream) const { return stream <= streams_.lasting && stream != streams_.reserve; }
  void count_open(std::uint8_t stream, std::uint32_t pages) { open_to_all_ += takes_all(stream) ? pages : 0; }
  void count_closed(std::uint8_t stream, std::uint32_t pages) { open_to_all_ -= takes_all(stream) ? pages : 0; }

  FlashIo& io_;
  BlockTable& blocks_;
  const std::uint32_t planes_;
  const std::uint32_t pages_per_wordline_;
  const std::uint32_t pages_per_block_;  // data pages of a block of the mapping
  const WriteStreams& streams_;
  std::vector<OpenBlock> open_;  // by stream and plane
  std::uint64_t open_to_all_ = 0;
};

}  // namespace nandscape::controller
