// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/flash_io.h"

#include <algorithm>

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

FlashIo::FlashIo(const FlashLayout& layout, const DataPath& path, FlashScheduler& scheduler, EccPort& ecc,
                 bool codes_in_tags, FlashTimes* times)
    : layout_(layout),
      codeword_(std::max(1U, path.read_bytes())),  // 0 if the drive does not read
      scheduler_(scheduler),
      ecc_(ecc),
      times_(times),
      codes_in_tags_(codes_in_tags),
      asks_for_more_(codes_in_tags || path.count_codeword_errors),
      path_(path),
      buffers_(path.buffer_bytes(), path.count_codeword_errors ? path.layout.codewords() : 0) {}

void FlashIo::set_plane(FlashOp& op, FlashPlane plane) const {
  const PlaceFinder::PlaneAddress& address = layout_.address(plane);
  op.plane = plane;
  op.channel = address.channel;
  op.command.die = address.die;
  op.command.plane = address.plane;
}

void FlashIo::read_and_ask(FlashOp& op, Tick now) {
  prepare_read(op);
  enqueue(op, now);
}

void FlashIo::begin_times(FlashOp& op, Tick now) {
  if (times_ != nullptr && op.times == nullptr) times_->begin(op, LatencyPart::firmware, now);
}

void FlashIo::give_times(const FlashOp& op, PageAccess& access, Tick now) {
  if (access.times != nullptr) access.times->add(*op.times, LatencyPart::firmware, now);
}

void FlashIo::ask_for_codeword_errors(FlashOp& read) const {
  const std::uint32_t codewords = read.command.bytes / path_.layout.codeword_bytes;
  read.command.codeword_errors = std::span(read.buffer->codeword_errors).first(codewords);
}

void FlashIo::copy_read(FlashOp& copy, const FlashOp& read) const {
  copy.channel = read.channel;
  copy.plane = read.plane;
  copy.block = read.block;
  copy.ppa = read.ppa;
  copy.lpn = read.lpn;
  copy.queue = read.queue;
  copy.priority = read.priority;
  copy.stream = read.stream;
  copy.stays_scrambled = read.stays_scrambled;
  copy.command.operation = NandOperation::read;
  copy.command.die = read.command.die;
  copy.command.plane = read.command.plane;
  copy.command.block = read.command.block;
  copy.command.page = read.command.page;
  copy.command.first_byte = read.command.first_byte;
  copy.command.bytes = read.command.bytes;
  copy.command.tag = std::span(copy.tag).first(read.command.tag.size());
  if (path_.count_codeword_errors) ask_for_codeword_errors(copy);
}

void FlashIo::ask_for_sensed_ones(FlashOp& read) const {
  read.buffer->sensed_ones.resize(std::size_t{8} * path_.layout.total_bytes());
  read.command.sensed_ones = read.buffer->sensed_ones;
}

// The scrambler key is the logical address of the page's first unit. The physical address cannot be the key, because it
// is not known when the page is encoded, and because a page keeps its key when it is moved within the flash. Pages that
// are read to rebuild a lost page are not descrambled.
void FlashIo::decode(FlashOp& op) {
  const NandCommand& command = op.command;
  EccJob& job = op.ecc;
  job.kind = EccKind::decode;
  if (codes_in_tags_) {
    // A damaged tag may contain an invalid code number. The ordinary code is then as good as any, because such a page
    // cannot be decoded.
    const CodeNumber code = code_in(command.tag);
    job.code = code < path_.codes.size() ? code : ordinary_code;
  }
  job.scrambled = path_.scramble && !op.stays_scrambled;
  job.scrambler_seed = command.tag.empty() ? op.lpn.value : scrambler_key(command.tag.front());
  job.data = command.data;
  job.owner = &op;
  job.first_byte = command.first_byte;
  job.bytes = command.bytes;
  job.transfer_time = command.response_time;
  job.raw_bit_errors = command.raw_bit_errors;
  job.worst_codeword_errors = command.worst_codeword_errors;
  job.codeword_errors = command.codeword_errors;
  job.sensing_levels = command.sensing_levels;
  job.misread_probability = command.misread_probability;
  job.sensed_ones = command.sensed_ones;
  ecc_.submit(op.channel, job);
}

void FlashIo::encode(FlashOp& op) { submit_encode(op, path_.scramble); }

// The page is already scrambled. Scrambling it a second time would descramble it.
void FlashIo::encode_again(FlashOp& op) { submit_encode(op, false); }

void FlashIo::submit_encode(FlashOp& op, bool scramble) {
  EccJob& job = op.ecc;
  job.kind = EccKind::encode;
  job.scrambled = scramble;
  job.scrambler_seed = scrambler_key(op.tag.front());
  job.data = op.command.data;
  job.owner = &op;
  job.bytes = path_.layout.page_bytes;
  ecc_.submit(op.channel, job);
}

}  // namespace nandscape::controller
