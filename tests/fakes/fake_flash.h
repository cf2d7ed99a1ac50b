// SPDX-License-Identifier: Apache-2.0
// Fake flash that stores pages in a map, without channels and dies. It carries out commands one at a time, in the order
// in which they were sent, when a test calls answer().
#pragma once

#include <algorithm>
#include <compare>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "controller/flash_ops/scheduler/flash_scheduler.h"

namespace nandscape::controller {

class FakeFlash final : public FlashScheduler::Port {
 public:
  struct Address {
    std::uint32_t channel, die, plane, block, page;

    auto operator<=>(const Address&) const = default;
  };
  struct Page {
    std::vector<std::uint64_t> tag;
    std::vector<std::byte> data;
    std::uint32_t errors = 0;  // number of errors in each codeword
  };
  static constexpr std::uint32_t hopeless = 1000;  // a number of errors per codeword that no ECC engine corrects

  explicit FakeFlash(std::uint32_t pages_per_wordline = 3) : pages_per_wordline_(pages_per_wordline) {}

  void connect(FlashScheduler& scheduler) { scheduler_ = &scheduler; }

  static Address address(const Place& place) {
    return {place.channel.value, place.die_of_channel.value, place.plane_of_die.value, place.block_of_plane.value,
            place.page_of_block};
  }
  Page& page(const Place& place) { return pages.at(address(place)); }

  // Completes the oldest command. Returns false if there is no command.
  bool answer(Tick now) {
    if (!responses_.empty()) {
      respond(now);
      return true;
    }
    if (requests.empty()) return false;
    const auto [channel, command] = requests.front();
    requests.pop_front();
    sent.push_back(*command);
    command->response_time = 1;
    carry_out(channel, *command);
    Commands& queued = queued_[channel.value];
    queued.emplace_back(channel, command);
    const bool more = command->more_planes;
    if (request_ends_by_itself(*command)) scheduler_->request_ended(channel, *command, now);
    if (more) return true;  // in a multi-plane operation, the array starts when all planes have their commands
    responses_.insert(responses_.end(), queued.begin(), queued.end());
    queued.clear();
    respond(now);
    return true;
  }

  std::size_t count(NandOperation operation) const {
    return static_cast<std::size_t>(std::ranges::count(sent, operation, &NandCommand::operation));
  }

  // FlashScheduler::Port
  void begin_request(ChannelId channel, NandCommand& command) override {
    if (begins) begins(channel, command);
    requests.emplace_back(channel, &command);
  }
  void end_response(ChannelId, NandCommand&) override {}

  std::map<Address, Page> pages;
  std::function<bool(const NandCommand&)> fails;              // whether this program, erase or adjustment fails
  std::function<void(ChannelId, const NandCommand&)> begins;  // called before each command is carried out
  bool dead = false;                                          // true: every read returns errors and no tag
  std::vector<NandCommand> sent;                              // commands that have been carried out
  std::deque<std::pair<ChannelId, NandCommand*>> requests;    // commands that have not been carried out

 private:
  using Commands = std::deque<std::pair<ChannelId, NandCommand*>>;
  using Plane = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  using Block = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  static Address address(ChannelId channel, const NandCommand& command) {
    return {channel.value, command.die.value, command.plane.value, command.block.value, command.page};
  }
  static Plane plane_of(const Address& at) { return {at.channel, at.die, at.plane}; }
  static Block block_of(const Address& at) { return {at.channel, at.die, at.plane, at.block}; }

  void respond(Tick now) {
    const auto [channel, command] = responses_.front();
    responses_.pop_front();
    scheduler_->response_begins(channel, *command, now);
  }

  void carry_out(ChannelId channel, NandCommand& command) {
    const Address at = address(channel, command);
    command.status = fails && fails(command) ? NandStatus::fail : NandStatus::pass;
    switch (command.operation) {
      case NandOperation::read: read(at, command); break;
      case NandOperation::program: program(at, command); break;
      case NandOperation::erase: erase(at, command); break;
      case NandOperation::copyback_read: copy(at, command); break;
      case NandOperation::copyback_program:
        pages[at] = registers_.at(plane_of(at));
        if (!command.tag.empty()) pages[at].tag.assign(command.tag.begin(), command.tag.end());
        if (command.status != NandStatus::pass) spoil(pages[at]);
        break;
      case NandOperation::adjust_voltage: adjust(at, command); break;
      // No operation is ever in progress, so there is nothing to suspend.
      case NandOperation::suspend: command.status = NandStatus::fail; break;
      default: break;
    }
  }

  void read(const Address& at, NandCommand& command) const {
    const auto found = pages.find(at);
    const Page* const page = found == pages.end() || dead ? nullptr : &found->second;
    command.erased_page = found == pages.end() && !dead;
    command.adjusted_block = adjusted_.contains(block_of(at));
    command.raw_bit_errors = command.worst_codeword_errors = page != nullptr ? page->errors : dead ? hopeless : 0;
    for (std::size_t word = 0; word < command.tag.size(); ++word) {
      command.tag[word] = page != nullptr && word < page->tag.size() ? page->tag[word] : ~std::uint64_t{0};
    }
    if (page == nullptr || command.data == nullptr || page->data.empty()) return;
    std::memcpy(command.data + command.first_byte, page->data.data() + command.first_byte, command.bytes);
  }

  void copy(const Address& at, NandCommand& command) {
    const Page& page = registers_[plane_of(at)] = pages.at(at);
    std::copy_n(page.tag.begin(), std::min(command.tag.size(), page.tag.size()), command.tag.begin());
  }

  void program(const Address& at, const NandCommand& command) {
    Page& page = pages[at] = {};
    page.tag.assign(command.tag.begin(), command.tag.end());
    if (command.data != nullptr) page.data.assign(command.data, command.data + command.bytes);
    if (command.status != NandStatus::pass) spoil(page);
  }

  static void spoil(Page& page) {
    page = {};
    page.errors = hopeless;
  }

  void erase(const Address& at, const NandCommand& command) {
    if (command.status != NandStatus::pass) return;
    std::erase_if(pages, [&](const auto& page) { return block_of(page.first) == block_of(at); });
    adjusted_.erase(block_of(at));
  }

  // Adjusts the wordline. Afterwards, only those of its pages that are in `valid_pages` can be read.
  void adjust(Address at, const NandCommand& command) {
    adjusted_.insert(block_of(at));
    at.page -= at.page % pages_per_wordline_;
    for (std::uint32_t type = 0; type < pages_per_wordline_; ++type, ++at.page) {
      const bool kept = (command.valid_pages >> type & 1) != 0 && command.status == NandStatus::pass;
      if (!kept) spoil(pages[at]);
    }
  }

  const std::uint32_t pages_per_wordline_;
  FlashScheduler* scheduler_ = nullptr;
  std::map<Plane, Page> registers_;           // the pages that were read for copyback
  std::set<Block> adjusted_;                  // blocks in which a wordline has been adjusted
  std::map<std::uint32_t, Commands> queued_;  // by channel: the commands of an operation that is not complete yet
  Commands responses_;
};

}  // namespace nandscape::controller
