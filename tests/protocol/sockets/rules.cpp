// SPDX-License-Identifier: Apache-2.0
// Tests rules that an external block may rely on in addition to the phases, and the errors for broken rules. This table
// lists each rule and the test that checks it:
//
//   a call made ahead of its time takes effect then      the tests of job sockets, with initiators that are `ahead`
//   a late call is an error that names its process       here, "a late call"
//   the calendar is ahead of SystemC by no more than     here, "SystemC's global quantum"; calendar_module.cpp
//     the quantum, SystemC's global one included,
//     and the blocks' lookahead                          foreign_blocks.cpp, "with a correct lookahead"
//   every answer that TLM-2.0 allows is accepted         the tests of all sockets
//   a target may wait in b_transport, or return a delay  dma_memories.cpp, register_devices.cpp
//   responses have a status                              the tests of job sockets, at each response
//   a payload without its job and an unexpected phase    here, "a forbidden call"
//     are errors
//   sc_start() lasts as long as requested                here, "a run started by the user"
//   the program's actions for SystemC reports are kept   foreign_blocks.cpp, "SystemC reports"
//   channel, die and engine accept b_transport           the tests of job sockets, End::blocking
//   a channel and a die show a page's stored data        here, "debug transport"
//   a thread's stack is unwound before its block is      foreign_blocks.cpp, "threads' stacks"
//     destroyed
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "channel/channel_module.h"
#include "nand/die_module.h"
#include "protocol/job_port.h"
#include "socket_cases.h"

namespace nandscape {
namespace {

using Payload = tlm::tlm_generic_payload;

DECLARE_EXTENDED_PHASE(foreign_phase);

// Does the work of a target that needs 20 us for each job.
struct SlowService final : Service {
  Times begin(Payload&, Tick now) override { return {now, now + 20 * microsecond}; }
};

TEST_CASE("foreign partners: a run started by the user lasts as long as requested, and can be continued") {
  const Tick quantum = any_quantum();
  const TargetCase target = GENERATE(from_range(target_cases()));
  CAPTURE(quantum, target.answer, target.process);
  Bench bench(quantum, true);
  std::vector<EccJob> jobs(1);
  PortInitiator<EccJob> initiator("initiator", bench.calendar, jobs, 1, 150 * microsecond);
  SlowService service;
  ForeignTarget<JobProtocol<EccJob>> engine("engine", service, target.answer, target.process);
  initiator.socket().bind(engine.socket);
  sc_core::sc_start(to_sc_time(100 * microsecond));
  CHECK(to_ticks(sc_core::sc_time_stamp()) == 100 * microsecond);
  CHECK(initiator.passages.front().over == never);
  sc_core::sc_start(to_sc_time(100 * microsecond));
  CHECK(initiator.passages.front().over == 170 * microsecond);
  CHECK(to_ticks(sc_core::sc_time_stamp()) == 200 * microsecond);
}

TEST_CASE("foreign partners: SystemC's global quantum bounds how far the calendar runs ahead") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, millisecond);
  struct Noter {
    void note(std::uint64_t) { ahead = std::max(ahead, calendar.now() - to_ticks(sc_core::sc_time_stamp())); }
    Calendar& calendar;
    Tick ahead = 0;
  } noter{calendar};
  const sc_core::sc_time before = tlm::tlm_global_quantum::instance().get();
  tlm::tlm_global_quantum::instance().set(to_sc_time(10 * microsecond));
  for (Tick at = 0; at < 500 * microsecond; at += microsecond) calendar.schedule<&Noter::note>(at, noter);
  driver.run(never);
  tlm::tlm_global_quantum::instance().set(before);
  CHECK(noter.ahead == 10 * microsecond);
}

struct Flash {
  Flash(Calendar& calendar, bool behind_a_channel, bool keeps_data = false)
      : geometry{.blocks_per_plane = 4, .pages_per_block = 8, .page_bytes = 4096},
        bus(channel::ChannelParameters{}, geometry),
        nand(nand::NandParameters{}),
        die("die", calendar, geometry, nand, keeps_data ? make_store() : nullptr) {
    die.die().precondition(PlaneInDie(0), BlockInPlane(0), geometry.pages_per_block);
    if (!behind_a_channel) return;
    channel.emplace("channel", calendar, bus, channel::BusArbitration::command_first, 1);
    channel->die_socket(DieInChannel(0)).bind(die.socket());
  }
  JobTargetSocket<NandCommand>& socket() { return channel ? channel->socket() : die.socket(); }

  std::unique_ptr<nand::PageStore> make_store() {
    auto made =
        std::make_unique<nand::PageStore>(PageLayout::sharing_spare(4096, 256, 4096), nand::PageStore::Spare::left_out);
    store = made.get();
    return made;
  }

  nand::PageStore* store = nullptr;
  Geometry geometry;
  channel::BusTiming bus;
  nand::NandTiming nand;
  nand::DieModule die;
  std::optional<channel::ChannelModule> channel;
};

TEST_CASE("foreign partners: debug transport shows the stored data of a page, in no time") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, 0);
  Flash flash(calendar, GENERATE(false, true), true);
  std::vector<NandCommand> none;
  ForeignInitiator<NandCommand> initiator("initiator", none, {});
  initiator.socket.bind(flash.socket());
  JobPayloadPool<NandCommand> pool;
  std::vector<std::byte> written(4096), shown(4096);
  for (std::size_t k = 0; k < written.size(); ++k) written[k] = static_cast<std::byte>(k * 7);
  flash.store->write(8 + 3, written.data());
  NandCommand look;
  look.block = BlockInPlane(1);
  look.page = 3;
  look.data = shown.data();
  Payload& payload = pool.acquire(look);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CHECK(initiator.socket->transport_dbg(payload) == 4096);
  CHECK(shown == written);
  look.page = 4;
  CHECK(initiator.socket->transport_dbg(payload) == 4096);
  CHECK(shown == std::vector(4096, std::byte{0xff}));
  look.block = BlockInPlane(77);
  CHECK(initiator.socket->transport_dbg(payload) == 0);
  look.block = BlockInPlane(1);
  look.operation = NandOperation::erase;
  CHECK(initiator.socket->transport_dbg(payload) == 0);
  payload.release();
  CHECK(sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME);
}

// --- broken rules

struct Caller final : sc_core::sc_module, JobBackward<NandCommand> {
  SC_HAS_PROCESS(Caller);
  explicit Caller(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.bind(*this);
    SC_METHOD(call_from_method);
    dont_initialize();
    sensitive << in_method;
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void call_from_method() {
    sc_core::sc_time delay;
    Payload& payload = pool.acquire(command);
    try {
      socket->b_transport(payload, delay);
    } catch (const ProtocolError& error) {
      complaint = error.what();
    }
    payload.release();
  }
  std::string complaint_of(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    try {
      socket->nb_transport_fw(payload, phase, delay);
    } catch (const ProtocolError& error) {
      return error.what();
    }
    return "";
  }

  JobInitiatorSocket<NandCommand> socket{"socket"};
  sc_core::sc_event in_method;
  NandCommand command;
  JobPayloadPool<NandCommand> pool;
  std::string complaint;
};

TEST_CASE("foreign partners: the error for a forbidden call names the socket") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, 0);
  Flash flash(calendar, GENERATE(false, true));
  Caller caller("caller");
  caller.socket.bind(flash.socket());
  sc_core::sc_start(to_sc_time(microsecond));
  const std::string socket = flash.socket().name();
  Payload bare;
  CHECK(caller.complaint_of(bare, tlm::BEGIN_REQ) ==
        socket + ": a payload carries no job: set a JobExtension with a job (protocol/job_socket.h)");
  Payload& payload = caller.pool.acquire(caller.command);
  CHECK(caller.complaint_of(payload, tlm::BEGIN_RESP).starts_with(socket + ": phase BEGIN_RESP is not legal here"));
  CHECK(caller.complaint_of(payload, foreign_phase).starts_with(socket + ": phase "));
  payload.release();
  caller.in_method.notify();
  sc_core::sc_start(to_sc_time(microsecond));
  CHECK(
      caller.complaint ==
      socket +
          ": b_transport takes simulated time, and is called from caller.call_from_method, which is not an SC_THREAD");
}

TEST_CASE("foreign partners: the error for a late call names its process") {
  Kernel kernel;
  Calendar calendar;
  // The quantum is long, so that the calendar may run ahead of the initiator's calls.
  CalendarModule driver("calendar", calendar, millisecond);
  Flash flash(calendar, false);
  std::vector<NandCommand> reads(1);
  ForeignInitiator<NandCommand> initiator("initiator", reads, {});
  initiator.socket.bind(flash.socket());
  struct Noter {
    void note(std::uint64_t) {}
  } noter;
  for (Tick at = 0; at < millisecond; at += microsecond) calendar.schedule<&Noter::note>(at, noter);
  try {
    sc_core::sc_start(to_sc_time(millisecond));
    FAIL("the call was taken");
  } catch (const std::exception& error) {
    CHECK(std::string(error.what()).find("a call from initiator.run at ") != std::string::npos);
    CHECK(std::string(error.what()).find("comes too late") != std::string::npos);
  }
}

}  // namespace
}  // namespace nandscape
