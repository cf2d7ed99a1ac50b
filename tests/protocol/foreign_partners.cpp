// SPDX-License-Identifier: Apache-2.0
// Partners that were written elsewhere: all that TLM-2.0 lets them answer, from the calendar, from processes of their
// own and by blocking calls, comes to the same ticks at every quantum.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "channel/channel_module.h"
#include "ecc/engine_module.h"
#include "ecc/page_coders/threshold_coder.h"
#include "kernel.h"
#include "nand/die_module.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/job_port.h"
#include "protocol/protocol_checker.h"

namespace nandscape {
namespace {

using Payload = tlm::tlm_generic_payload;

DECLARE_EXTENDED_PHASE(foreign_phase);

constexpr Tick request_takes = 3 * microsecond;
constexpr Tick job_takes = 20 * microsecond;

// What a job went through at one end of a socket.
struct Seen {
  Tick ended = never;      // the request
  Tick responded = never;  // the response has begun
  Tick over = never;
  bool operator==(const Seen&) const = default;
};

// --- the initiator's end, with foreign targets

struct Starter final : sc_core::sc_module {
  Starter(const sc_core::sc_module_name& name, Calendar& c) : sc_module(name), calendar(c), port("socket", c, *this) {}

  void begin(std::uint64_t) {
    payload = &pool.acquire(job);
    port.begin_request(*payload, job);
  }
  void request_ended(EccJob&, Tick now) { seen.ended = now; }
  bool response_begins(EccJob&, Tick now) {
    seen.responded = now;
    if (response_takes != 0) calendar.schedule<&Starter::end>(now + response_takes, *this);
    return response_takes == 0;
  }
  void end(std::uint64_t) { port.end_response(*payload); }
  void job_over(Payload& of) {
    seen.over = calendar.now();
    of.release();
  }

  Calendar& calendar;
  JobPayloadPool<EccJob> pool;
  JobInitiatorPort<EccJob, Starter> port;
  EccJob job;
  Tick response_takes = 0;
  Payload* payload = nullptr;
  Seen seen;
};

enum class Answers {
  by_calls,           // END_REQ and BEGIN_RESP
  end_returned,       // END_REQ as what BEGIN_REQ returns
  end_announced,      // likewise, with the delay until then
  response_only,      // BEGIN_RESP, which implies END_REQ
  response_returned,  // BEGIN_RESP as what BEGIN_REQ returns, with the delay until then
  completed,          // TLM_COMPLETED, with the delay until then
  announced,          // calls made at once, with the delays until then
};

// Works on a job in a thread of its own.
struct ForeignEngine final : sc_core::sc_module, JobForward<EccJob> {
  SC_HAS_PROCESS(ForeignEngine);
  ForeignEngine(const sc_core::sc_module_name& name, Answers how) : sc_module(name), answers(how) {
    socket.bind(*this);
    SC_THREAD(work);
  }

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      ++response_ends;
      return tlm::TLM_COMPLETED;
    }
    at_hand = &payload;
    switch (answers) {
      case Answers::end_returned:
        phase = tlm::END_REQ;
        begun.notify(delay);
        return tlm::TLM_UPDATED;
      case Answers::end_announced:
        begun.notify(delay);
        phase = tlm::END_REQ;
        delay += to_sc_time(request_takes);
        return tlm::TLM_UPDATED;
      case Answers::response_returned:
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        phase = tlm::BEGIN_RESP;
        delay += to_sc_time(request_takes + job_takes);
        return tlm::TLM_UPDATED;
      case Answers::completed:
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += to_sc_time(request_takes + job_takes);
        return tlm::TLM_COMPLETED;
      default: begun.notify(delay); return tlm::TLM_ACCEPTED;
    }
  }
  void b_transport(Payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  void call(tlm::tlm_phase phase, Tick later = 0) {
    sc_core::sc_time delay = to_sc_time(later);
    if (phase == tlm::BEGIN_RESP) at_hand->set_response_status(tlm::TLM_OK_RESPONSE);
    socket->nb_transport_bw(*at_hand, phase, delay);
  }

  void work() {
    for (;;) {
      wait(begun);
      const bool tells_end = answers == Answers::by_calls;
      if (answers == Answers::announced) {
        call(tlm::END_REQ, request_takes);
        call(tlm::BEGIN_RESP, request_takes + job_takes);
        continue;
      }
      wait(to_sc_time(request_takes));
      if (tells_end) call(tlm::END_REQ);
      wait(to_sc_time(job_takes));
      call(tlm::BEGIN_RESP);
    }
  }

  JobTargetSocket<EccJob> socket{"socket"};
  const Answers answers;
  sc_core::sc_event begun;
  Payload* at_hand = nullptr;
  int response_ends = 0;
};

Tick any_quantum() { return GENERATE(Tick{0}, microsecond, millisecond); }

TEST_CASE("foreign partners: an initiator takes whatever a target may answer") {
  const Tick quantum = any_quantum();
  const Answers answers =
      GENERATE(Answers::by_calls, Answers::end_returned, Answers::end_announced, Answers::response_only,
               Answers::response_returned, Answers::completed, Answers::announced);
  const Tick response_takes = GENERATE(Tick{0}, microsecond);
  CAPTURE(quantum, static_cast<int>(answers), response_takes);
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  driver.limit_lookahead(0);
  Starter starter("starter", calendar);
  starter.response_takes = response_takes;
  ProtocolChecker<JobProtocol<EccJob>> checker("checker");
  ForeignEngine engine("engine", answers);
  starter.port.socket.bind(checker.target);
  checker.initiator.bind(engine.socket);
  const Tick begin = 5 * microsecond + 7;
  calendar.schedule<&Starter::begin>(begin, starter);
  sc_core::sc_start(to_sc_time(millisecond));
  const Tick end = begin + request_takes + job_takes;
  switch (answers) {
    case Answers::by_calls:
    case Answers::end_announced:
    case Answers::announced: CHECK(starter.seen == Seen{begin + request_takes, end, end + response_takes}); break;
    case Answers::end_returned: CHECK(starter.seen == Seen{begin, end, end + response_takes}); break;
    case Answers::response_only:
    case Answers::response_returned:
    case Answers::completed: CHECK(starter.seen == Seen{end, end, end + response_takes}); break;
  }
  CHECK(checker.outstanding_histories() == "");
  // A user's run goes on when nothing is left to do.
  CHECK(to_ticks(sc_core::sc_time_stamp()) == millisecond);
}

TEST_CASE("foreign partners: a run of the user's own is as long as that says, and can be gone on with") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, any_quantum());
  driver.limit_lookahead(0);
  Starter starter("starter", calendar);
  ForeignEngine engine("engine", Answers::by_calls);
  starter.port.socket.bind(engine.socket);
  sc_core::sc_start(to_sc_time(100 * microsecond));
  CHECK(to_ticks(sc_core::sc_time_stamp()) == 100 * microsecond);
  calendar.schedule<&Starter::begin>(150 * microsecond, starter);
  sc_core::sc_start(to_sc_time(100 * microsecond));
  CHECK(starter.seen.over == 150 * microsecond + request_takes + job_takes);
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

// --- the target's end, with foreign initiators

enum class Ends {
  completed,  // TLM_COMPLETED to BEGIN_RESP
  returned,   // END_RESP as what BEGIN_RESP returns
  later,      // END_RESP as a call, once the bus is free
  announced,  // TLM_COMPLETED with the delay until then
  blocking,   // b_transport
};

// Reads pages of a die, one after the other, from a thread of its own.
struct ForeignReader final : sc_core::sc_module, JobBackward<NandCommand> {
  SC_HAS_PROCESS(ForeignReader);
  ForeignReader(const sc_core::sc_module_name& name, Ends how) : sc_module(name), ends(how) {
    socket.bind(*this);
    SC_THREAD(read);
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    const Tick takes = job_of<NandCommand>(payload).response_time;
    responses.push_back(to_ticks(sc_core::sc_time_stamp() + delay));
    switch (ends) {
      case Ends::completed: over.notify(delay + to_sc_time(takes)); return tlm::TLM_COMPLETED;
      case Ends::returned:
        phase = tlm::END_RESP;
        over.notify(delay + to_sc_time(takes));
        return tlm::TLM_UPDATED;
      case Ends::announced:
        over.notify(delay + to_sc_time(takes));
        delay += to_sc_time(takes);
        return tlm::TLM_COMPLETED;
      default: over.notify(delay + to_sc_time(takes)); return tlm::TLM_ACCEPTED;
    }
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void read() {
    for (std::uint32_t page = 0; page < 3; ++page) {
      NandCommand& command = commands[page];
      command.page = page;
      command.bytes = 4096;
      Payload& payload = pool.acquire(command);
      if (ends == Ends::blocking) {
        sc_core::sc_time delay = to_sc_time(ahead);
        socket->b_transport(payload, delay);
        wait(delay);
        statuses.push_back(payload.get_response_status());
      } else {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = to_sc_time(ahead);
        socket->nb_transport_fw(payload, phase, delay);
        wait(over);
        statuses.push_back(payload.get_response_status());
        if (ends == Ends::later) {
          phase = tlm::END_RESP;
          delay = sc_core::SC_ZERO_TIME;
          socket->nb_transport_fw(payload, phase, delay);
        }
      }
      done.push_back(to_ticks(sc_core::sc_time_stamp()));
      payload.release();
      if (pause != 0) wait(to_sc_time(pause));
    }
  }

  JobInitiatorSocket<NandCommand> socket{"socket"};
  const Ends ends;
  Tick ahead = 0;  // of the thread, as a loosely timed initiator runs
  Tick pause = 17 * microsecond;
  std::array<NandCommand, 3> commands;
  JobPayloadPool<NandCommand> pool;
  sc_core::sc_event over;
  std::vector<Tick> responses;
  std::vector<Tick> done;
  std::vector<tlm::tlm_response_status> statuses;
};

struct Flash {
  Flash(Calendar& calendar, bool behind_a_channel, bool keeps_data = false)
      : geometry{.blocks_per_plane = 4, .pages_per_block = 8, .page_bytes = 4096},
        bus(channel::ChannelParameters{}, geometry),
        nand(nand::NandParameters{}),
        die("die", calendar, geometry, nand, keeps_data ? make_store() : nullptr) {
    die.die().precondition(0, 0, geometry.pages_per_block);
    if (!behind_a_channel) return;
    channel.emplace("channel", calendar, bus, channel::BusArbitration::command_first, 1);
    channel->die_socket(0).bind(die.socket());
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

std::vector<Tick> times_of_reads(Ends ends, bool behind_a_channel, Tick quantum, Tick ahead = 0,
                                 Tick pause = 17 * microsecond) {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  driver.limit_lookahead(0);
  Flash flash(calendar, behind_a_channel);
  ForeignReader reader("reader", ends);
  reader.ahead = ahead;
  reader.pause = pause;
  ProtocolChecker<JobProtocol<NandCommand>> checker("checker");
  reader.socket.bind(checker.target);
  checker.initiator.bind(flash.socket());
  sc_core::sc_start(to_sc_time(10 * millisecond));
  CHECK(checker.outstanding_histories() == "");
  CHECK(reader.statuses == std::vector(3, tlm::TLM_OK_RESPONSE));
  return reader.done;
}

TEST_CASE("foreign partners: a die and a channel take whatever an initiator may do, at the same ticks") {
  const bool behind_a_channel = GENERATE(false, true);
  CAPTURE(behind_a_channel);
  const std::vector<Tick> times = times_of_reads(Ends::later, behind_a_channel, 0);
  REQUIRE(times.size() == 3);
  const Tick quantum = any_quantum();
  const Ends ends = GENERATE(Ends::completed, Ends::returned, Ends::later, Ends::announced, Ends::blocking);
  CAPTURE(quantum, static_cast<int>(ends));
  CHECK(times_of_reads(ends, behind_a_channel, quantum) == times);
}

TEST_CASE("foreign partners: an initiator that has sent END_RESP may release the payload and use it again at once") {
  const bool behind_a_channel = GENERATE(false, true);
  const std::vector<Tick> times = times_of_reads(Ends::blocking, behind_a_channel, 0, 0, 0);
  const Ends ends = GENERATE(Ends::completed, Ends::returned, Ends::later, Ends::announced);
  CAPTURE(behind_a_channel, static_cast<int>(ends));
  CHECK(times_of_reads(ends, behind_a_channel, any_quantum(), 0, 0) == times);
}

TEST_CASE("foreign partners: what an initiator does ahead of time happens then") {
  const bool behind_a_channel = GENERATE(false, true);
  const Tick ahead = 40 * microsecond;
  std::vector<Tick> times = times_of_reads(Ends::later, behind_a_channel, 0);
  for (std::size_t k = 0; k < times.size(); ++k) times[k] += (k + 1) * ahead;
  CHECK(times_of_reads(GENERATE(Ends::later, Ends::blocking, Ends::completed), behind_a_channel, any_quantum(),
                       ahead) == times);
}

TEST_CASE("foreign partners: debug transport shows what a page stores, in no time") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, 0);
  Flash flash(calendar, GENERATE(false, true), true);
  ForeignReader reader("reader", Ends::later);
  reader.socket.bind(flash.socket());
  std::vector<std::byte> written(4096), shown(4096);
  for (std::size_t k = 0; k < written.size(); ++k) written[k] = static_cast<std::byte>(k * 7);
  flash.store->write(8 + 3, written.data());
  NandCommand look;
  look.block = 1;
  look.page = 3;
  look.data = shown.data();
  Payload& payload = reader.pool.acquire(look);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CHECK(reader.socket->transport_dbg(payload) == 4096);
  CHECK(shown == written);
  look.page = 4;
  CHECK(reader.socket->transport_dbg(payload) == 4096);
  CHECK(shown == std::vector(4096, std::byte{0xff}));
  look.block = 77;
  CHECK(reader.socket->transport_dbg(payload) == 0);
  look.block = 1;
  look.operation = NandOperation::erase;
  CHECK(reader.socket->transport_dbg(payload) == 0);
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

TEST_CASE("foreign partners: what none may do is an error that names the socket") {
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
        socket + ": a payload comes without its job: set a JobExtension with a job (protocol/job_socket.h)");
  Payload& payload = caller.pool.acquire(caller.command);
  CHECK(caller.complaint_of(payload, tlm::BEGIN_RESP).starts_with(socket + ": phase BEGIN_RESP has no place here"));
  CHECK(caller.complaint_of(payload, foreign_phase).starts_with(socket + ": phase "));
  payload.release();
  caller.in_method.notify();
  sc_core::sc_start(to_sc_time(microsecond));
  CHECK(caller.complaint ==
        socket +
            ": b_transport takes simulated time, and is called from caller.call_from_method, which is no SC_THREAD");
}

TEST_CASE("foreign partners: a call that comes too late names its process") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, millisecond);  // and nobody has told it of the reader
  Flash flash(calendar, false);
  ForeignReader reader("reader", Ends::later);
  reader.socket.bind(flash.socket());
  struct Noter {
    void note(std::uint64_t) {}
  } noter;
  for (Tick at = 0; at < millisecond; at += microsecond) calendar.schedule<&Noter::note>(at, noter);
  try {
    sc_core::sc_start(to_sc_time(millisecond));
    FAIL("the call was taken");
  } catch (const std::exception& error) {
    CHECK(std::string(error.what()).find("a call from reader.read at ") != std::string::npos);
    CHECK(std::string(error.what()).find("comes too late") != std::string::npos);
  }
}

}  // namespace
}  // namespace nandscape
