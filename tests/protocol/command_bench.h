// SPDX-License-Identifier: Apache-2.0
// A test bench with one channel and two dies. An initiator sends the commands of the test directly to the channel. The
// times are those of small_device.h.
#pragma once

#include <deque>
#include <initializer_list>

#include "channel_bench.h"

namespace nandscape {

class CommandBench final : public ChannelBench {
 public:
  // A command, and the times at which its protocol phases occur.
  struct Sent {
    NandCommand command;
    Tick begun = never;      // BEGIN_REQ
    Tick accepted = never;   // END_REQ, or BEGIN_RESP if the command is answered without END_REQ
    Tick answered = never;   // BEGIN_RESP
    Tick completed = never;  // END_RESP
    Sent* next = nullptr;    // command to be sent when this command has been accepted
  };

  static constexpr std::uint32_t dies = 2;
  bool completes_aborted = true;  // as the protocol requires; a test may set it to false

  // If `checked` is true, a protocol checker is connected into every link.
  explicit CommandBench(bool checked, const FlashDeviceParameters& p = small_device(), nand::CellArray* cells = nullptr)
      : ChannelBench(checked,
                     {.chips_per_channel = dies,
                      .planes_per_die = p.nand.geometry.planes_per_die,
                      .blocks_per_plane = p.nand.geometry.blocks_per_plane,
                      .pages_per_block = p.nand.geometry.pages_per_block,
                      .page_bytes = p.nand.geometry.page_bytes,
                      .spare_bytes = p.nand.geometry.spare_bytes,
                      .independent_plane_reads = p.nand.independent_plane_reads},
                     p, cells) {}

  Sent& make(NandOperation operation, std::uint32_t plane = 0, std::uint32_t block = 0, std::uint32_t page = 0) {
    Sent& sent = sent_.emplace_back();
    NandCommand& command = sent.command;
    command.operation = operation;
    command.plane = PlaneInDie(plane);
    command.block = BlockInPlane(block);
    command.page = page;
    const bool moves_page = operation == NandOperation::read || operation == NandOperation::program;
    command.bytes = moves_page ? geometry.page_bytes : 0;
    command.owner = &sent;
    return sent;
  }

  // Sends the first command at `time`, and each later command as soon as the previous one has been accepted.
  void at(Tick time, std::initializer_list<Sent*> commands) {
    Sent* last = nullptr;
    for (Sent* sent : commands) {
      if (last != nullptr) last->next = sent;
      last = sent;
    }
    calendar.schedule<&CommandBench::send>(time, *this, **commands.begin());
  }
  void at(Tick time, Sent& command) { at(time, {&command}); }

 private:
  void send(Sent& sent) {
    sent.begun = calendar.now();
    if (send_phase(sent.command, tlm::BEGIN_REQ) == tlm::TLM_UPDATED) accept(sent);
  }

  void accept(Sent& sent) {
    sent.accepted = calendar.now();
    if (sent.next != nullptr) send(*sent.next);
  }

  tlm::tlm_sync_enum receive(NandCommand& command, const tlm::tlm_phase& phase, Tick now) override {
    CHECK(now == calendar.now());
    Sent& sent = *static_cast<Sent*>(command.owner);
    if (phase == tlm::END_REQ) {
      accept(sent);
      return tlm::TLM_ACCEPTED;
    }
    sent.answered = calendar.now();
    if (sent.command.status == NandStatus::aborted && !completes_aborted) return tlm::TLM_ACCEPTED;
    if (answered_at_once(sent.command.operation) || sent.command.status == NandStatus::aborted) {
      sent.completed = calendar.now();
      if (sent.accepted == never) accept(sent);
      return tlm::TLM_COMPLETED;
    }
    calendar.schedule<&CommandBench::end_response>(calendar.now() + sent.command.response_time, *this, sent);
    return tlm::TLM_ACCEPTED;
  }

  void end_response(Sent& sent) {
    sent.completed = calendar.now();
    send_phase(sent.command, tlm::END_RESP);
  }

  std::deque<Sent> sent_;
};

}  // namespace nandscape
