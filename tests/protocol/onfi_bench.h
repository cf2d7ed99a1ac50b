// SPDX-License-Identifier: Apache-2.0
// A test bench with a die and an initiator. They are connected directly by the die's socket, or at ONFI pins: a command
// player then drives the pins of an ONFI target in front of the die.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "catch.h"
#include "kernel.h"
#include "nand/die_module.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"
#include "rtl/onfi/onfi_wires.h"

namespace nandscape {

enum class Way { socket, pins };

class OnfiBench {
 public:
  // A command, and the times at which its protocol phases occur.
  struct Sent {
    NandCommand command;
    std::vector<std::byte> data;
    Tick accepted = never;   // END_REQ
    Tick answered = never;   // BEGIN_RESP
    Tick completed = never;  // END_RESP
    Sent* next = nullptr;    // command to be sent when this command has been accepted
    Sent* then = nullptr;    // command to be sent when this command has completed
  };

  static Geometry small_geometry() {
    return {.planes_per_die = 2, .blocks_per_plane = 5, .pages_per_block = 12, .page_bytes = 512, .spare_bytes = 32};
  }
  static nand::NandParameters parameters() {
    nand::NandParameters p;
    p.timing.read = nand::ReadTime::per_page_type;
    p.timing.t_read_us = {61, 83.5, 70};
    p.timing.t_prog_us = 701;
    p.timing.t_bers_us = 3003;
    return p;
  }

  explicit OnfiBench(Way way, const rtl::onfi::PlayerSettings& settings = {},
                     nand::PageStore::Spare spare = nand::PageStore::Spare::kept)
      : timing_(parameters()) {
    driver_.limit_lookahead(0);
    die = std::make_unique<nand::DieModule>(
        "die", calendar, geometry, timing_,
        std::make_unique<nand::PageStore>(PageLayout::sharing_spare(512, 32, 512), spare));
    initiator_.port.socket.bind(checker_.target);
    if (way == Way::socket) {
      checker_.initiator.bind(die->socket());
      return;
    }
    wires = std::make_unique<rtl::onfi::OnfiWires>("wires");
    player = std::make_unique<rtl::onfi::OnfiPlayerModule>("player", calendar, geometry, settings);
    device = std::make_unique<rtl::onfi::OnfiDeviceModule>("device", calendar, geometry, 7);
    wires->connect(*player);
    wires->connect(*device);
    checker_.initiator.bind(player->socket());
    device->die_socket().bind(die->socket());
    ready_watch_ = std::make_unique<ReadyWatch>("ready_watch");
    ready_watch_->rb_n(wires->rb_n);
  }

  // Runs until no events are left, and checks that every transaction has ended.
  void run() {
    driver_.run(never);
    driver_.rethrow();
    CHECK(checker_.outstanding_histories() == "");
  }

  Sent& make(NandOperation operation, std::uint32_t plane = 0, std::uint32_t block = 0, std::uint32_t page = 0) {
    Sent& sent = *sent_.emplace_back(std::make_unique<Sent>());
    NandCommand& c = sent.command;
    c.operation = operation;
    c.plane = PlaneInDie(plane);
    c.block = BlockInPlane(block);
    c.page = page;
    sent.data.resize(operation == NandOperation::read_parameter_page ? 768 : 544);
    if (operation == NandOperation::read || operation == NandOperation::program) c.bytes = geometry.page_bytes;
    if (operation == NandOperation::read_parameter_page) c.bytes = 768;
    if (c.bytes != 0) c.data = sent.data.data();
    c.owner = &sent;
    return sent;
  }
  // Makes a copyback that also transfers the page data over the bus.
  Sent& make_moving(NandOperation operation, std::uint32_t plane, std::uint32_t block, std::uint32_t page) {
    Sent& sent = make(operation, plane, block, page);
    sent.command.bytes = geometry.page_bytes;
    sent.command.data = sent.data.data();
    return sent;
  }
  // Makes a program. Its data depend on the address of the page, so that a read of a wrong page is noticed.
  Sent& make_program(std::uint32_t plane, std::uint32_t block, std::uint32_t page, bool with_spare) {
    Sent& sent = make(NandOperation::program, plane, block, page);
    const std::size_t bytes = with_spare ? sent.data.size() : geometry.page_bytes;
    for (std::size_t k = 0; k < sent.data.size(); ++k) {
      sent.data[k] =
          k < bytes ? static_cast<std::byte>(k * 7 + plane * 31 + block * 101 + page * 13 + k / 256) : std::byte{0xff};
    }
    return sent;
  }

  // Sends a command as soon as the die can accept it, followed by the commands linked to it by `next` and `then`.
  void send(Sent& sent) { send_at(std::max(calendar.now(), not_before_), sent); }
  void send_at(Tick at, Sent& sent) { calendar.schedule<&OnfiBench::begin>(at, *this, sent); }
  Sent& execute(Sent& sent) {
    send(sent);
    run();
    return sent;
  }

  // Durations for which R/B_n was low, in order of time, without those up to 10 us.
  const std::vector<Tick>& busy_times() const { return ready_watch_->times; }
  const std::vector<Tick>& ready_times() const { return ready_watch_->rises; }

 private:
  struct Initiator final : sc_core::sc_module {
    Initiator(sc_core::sc_module_name name, OnfiBench& owner)
        : sc_module(name), bench(owner), port("socket", owner.calendar, *this) {}
    void request_ended(NandCommand& command, Tick now) {
      Sent& sent = *static_cast<Sent*>(command.owner);
      sent.accepted = now;
      if (sent.next != nullptr)
        bench.calendar.schedule<&OnfiBench::begin>(now + command.response_time, bench, *sent.next);
    }
    bool response_begins(NandCommand& command, Tick now) {
      Sent& sent = *static_cast<Sent*>(command.owner);
      sent.answered = now;
      if (completed_in_the_call(command)) {
        bench.completed(sent);
        return true;
      }
      bench.calendar.schedule<&OnfiBench::end>(now + command.response_time, bench, sent);
      return false;
    }
    void job_over(tlm::tlm_generic_payload& payload) { payload.release(); }

    OnfiBench& bench;
    JobInitiatorPort<NandCommand, Initiator> port;
  };

  struct ReadyWatch final : sc_core::sc_module {
    SC_HAS_PROCESS(ReadyWatch);
    explicit ReadyWatch(sc_core::sc_module_name name) : sc_module(name) {
      SC_METHOD(moved);
      sensitive << rb_n;
      dont_initialize();
    }
    void moved() {
      const Tick now = to_ticks(sc_core::sc_time_stamp());
      if (!rb_n.read()) {
        fell = now;
        return;
      }
      rises.push_back(now);
      if (now - fell > 10 * microsecond) {
        times.push_back(now - fell);
      }
    }
    sc_core::sc_in<bool> rb_n{"rb_n"};
    Tick fell = 0;
    std::vector<Tick> times;
    std::vector<Tick> rises;
  };

  void begin(Sent& sent) {
    sent.command.payload = &payloads_.acquire(sent.command);
    initiator_.port.begin_request(sent.command);
  }
  void end(Sent& sent) {
    initiator_.port.end_response(sent.command);
    completed(sent);
  }
  void completed(Sent& sent) {
    sent.completed = calendar.now();
    // A command that is answered without END_REQ still occupies the die for its response time.
    if (answered_at_once(sent.command.operation)) not_before_ = sent.completed + sent.command.response_time;
    if (sent.then == nullptr) return;
    send(*sent.then);
  }

  Kernel kernel_;

 public:
  Calendar calendar;

 private:
  CalendarModule driver_{"calendar", calendar, millisecond};
  JobPayloadPool<NandCommand> payloads_;
  Initiator initiator_{"initiator", *this};
  ProtocolChecker<JobProtocol<NandCommand>> checker_{"checker"};
  const nand::NandTiming timing_;
  std::vector<std::unique_ptr<Sent>> sent_;
  Tick not_before_ = 0;

 public:
  const Geometry geometry = small_geometry();
  std::unique_ptr<nand::DieModule> die;
  std::unique_ptr<rtl::onfi::OnfiWires> wires;
  std::unique_ptr<rtl::onfi::OnfiPlayerModule> player;
  std::unique_ptr<rtl::onfi::OnfiDeviceModule> device;

 private:
  std::unique_ptr<ReadyWatch> ready_watch_;
};

}  // namespace nandscape
