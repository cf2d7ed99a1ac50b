// SPDX-License-Identifier: Apache-2.0
// The write frontier for drives without parity. Each stream has one open block on each plane and fills it page by page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "controller/writing/write_frontier.h"

namespace nandscape::controller {

class PlainFrontier : public WriteFrontier {
 public:
  explicit PlainFrontier(WritingState& writing) : PlainFrontier(writing, {.has_wordlines_for_pairs = true}) {}

  void send(PageProgram& page, Tick now) final { enqueue_page(writing_.io, page, now); }
  Superblock open_block(std::uint8_t stream, FlashPlane plane) const final { return at(stream, plane).block; }
  bool writes_to(Superblock block) const final {
    return open_block(writing_.blocks.stream(block), of_flash(writing_.blocks.geometry().plane_of(block))) == block;
  }
  std::size_t open_blocks() const final {
    return static_cast<std::size_t>(std::ranges::count_if(open_, [](const OpenBlock& o) { return o.block.valid(); }));
  }
  bool has_room(std::uint8_t stream, FtlPlane plane) const final { return has_block(stream, of_flash(plane)); }
  void open(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t pages) override;
  void close(std::uint8_t stream, FtlPlane plane) final;
  void append(PageProgram& page, Tick now) final;
  std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const override {
    return next_page(page.write_stream, page.plane, may_open);
  }
  std::uint64_t next(std::uint8_t stream, FlashPlane plane) const final { return at(stream, plane).next_page; }

  std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const final {
    return end - at(stream, plane).next_page;
  }
  bool padding_needed(const PageProgram& padding) const final;
  void complete(std::uint8_t stream, FlashPlane plane) final;
  void failed(PageProgram& page, Tick now) final;

  std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const override;
  void persist(Archive& archive) final;

 protected:
  PlainFrontier(WritingState& writing, Traits traits);

  struct RowAndMember {
    std::uint32_t row;
    std::uint32_t member;
  };
  // Returns the row and the member block to which page number `position`, in the order of writing, is written in a
  // block of that shape.
  virtual RowAndMember page_at(const BlockShape& /*shape*/, std::uint32_t position, std::uint8_t /*stream*/) const {
    return {position, 0};
  }

  struct OpenBlock {
    Superblock block;
    std::uint32_t next_page = 0;  // number of the next page in the order of writing
    bool closing = false;         // the block is closed when its current wordline is complete
  };
  const OpenBlock& at(std::uint8_t stream, FlashPlane plane) const {
    return open_[std::size_t{stream} * planes_ + plane.value];
  }
  std::optional<std::uint32_t> next_page(std::uint8_t stream, FlashPlane plane, bool may_open) const;
  // Returns the plane of the flash. Since each block is on one plane, the planes of the mapping are the planes of the
  // flash.
  FlashPlane of_flash(FtlPlane plane) const { return writing_.layout().flash_plane(plane, 0); }
  WritingState& writing() const { return writing_; }
  const BlockShape& shape(Superblock block) const { return writing_.blocks.shape(block); }

 private:
  OpenBlock& at(std::uint8_t stream, FlashPlane plane) { return open_[std::size_t{stream} * planes_ + plane.value]; }
  void complete_wordline(std::uint8_t stream, FlashPlane plane);
  void leave_if_done(OpenBlock& to, std::uint8_t stream);
  void leave(OpenBlock& to, std::uint8_t stream);
  bool takes_all(std::uint8_t stream) const {
    const WriteStreams& streams = writing_.settings.streams;
    return stream <= streams.lasting && stream != streams.reserve;
  }
  void count_open(std::uint8_t stream, std::uint32_t pages) { open_to_all_ += takes_all(stream) ? pages : 0; }
  void count_closed(std::uint8_t stream, std::uint32_t pages) { open_to_all_ -= takes_all(stream) ? pages : 0; }

  WritingState& writing_;
  const std::uint32_t planes_;
  std::vector<OpenBlock> open_;  // indexed by stream and plane
};

}  // namespace nandscape::controller
