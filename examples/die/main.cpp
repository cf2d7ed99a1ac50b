// SPDX-License-Identifier: Apache-2.0
// Compares our own die model with nandscape's DieModule. Each is behind its own channel and receives the same commands.
// Prints when each command was done, in picoseconds. Fails unless times and data are the same for both dies.
//
//   die [quantum_us]
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "channel/channel_module.h"
#include "nand/die_module.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"
#include "simple_die.h"

namespace {

using namespace nandscape;
using Checker = ProtocolChecker<JobProtocol<NandCommand>>;

constexpr std::uint32_t page_bytes = 4096;
constexpr std::uint32_t spare_bytes = 256;

struct Step {
  NandOperation operation;
  std::uint32_t page;
};
constexpr std::array<Step, 7> steps{{{NandOperation::erase, 0},
                                     {NandOperation::program, 0},
                                     {NandOperation::program, 1},
                                     {NandOperation::read, 0},
                                     {NandOperation::read, 2},
                                     {NandOperation::erase, 0},
                                     {NandOperation::read, 1}}};

// Sends the steps by blocking calls, one after the other, and records the time at which each of them ends.
class Sender final : public sc_core::sc_module, private JobBackward<NandCommand> {
 public:
  SC_HAS_PROCESS(Sender);
  explicit Sender(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*this);
    SC_THREAD(send);
  }

  JobInitiatorSocket<NandCommand> socket{"socket"};
  std::vector<Tick> done;
  std::vector<std::byte> first_bytes;  // the first byte of the data buffer after each step

 private:
  void send() {
    std::vector<std::byte> data(page_bytes + spare_bytes);
    for (const Step& step : steps) {
      NandCommand command;
      command.operation = step.operation;
      command.page = step.page;
      command.bytes = step.operation == NandOperation::erase ? 0 : page_bytes;
      command.data = data.data();
      std::fill(data.begin(), data.end(), static_cast<std::byte>(0xa0 + step.page));
      tlm::tlm_generic_payload& payload = payloads_.acquire(command);
      sc_core::sc_time delay;
      socket->b_transport(payload, delay);
      wait(delay);
      payload.release();
      done.push_back(to_ticks(sc_core::sc_time_stamp()));
      first_bytes.push_back(data.front());
    }
  }

  // Required by the interface, but never called: b_transport has no phases.
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  JobPayloadPool<NandCommand> payloads_;
};

// A sender and a channel with one die. Protocol checkers watch the links above and below the channel.
struct Lane {
  Lane(const std::string& name, Calendar& calendar, const channel::BusTiming& timing, JobTargetSocket<NandCommand>& die)
      : sender((name + "_sender").c_str()),
        above((name + "_above").c_str()),
        channel((name + "_channel").c_str(), calendar, timing, channel::BusArbitration::command_first, 1),
        below((name + "_below").c_str()) {
    sender.socket.bind(above.target);
    above.initiator.bind(channel.socket());
    channel.die_socket(DieInChannel(0)).bind(below.target);
    below.initiator.bind(die);
  }

  Sender sender;
  Checker above;
  channel::ChannelModule channel;
  Checker below;
};

int run(Tick quantum) {
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  driver.limit_lookahead(0);  // the senders may call at any time, so the calendar must not run ahead of SystemC

  const Geometry geometry{
      .blocks_per_plane = 4, .pages_per_block = 8, .page_bytes = page_bytes, .spare_bytes = spare_bytes};
  const channel::BusTiming bus(channel::ChannelParameters{}, geometry);
  nand::NandParameters parameters;
  parameters.coding = "slc";
  const nand::NandTiming timing(parameters);

  nand::DieModule theirs(
      "die", calendar, geometry, timing,
      std::make_unique<nand::PageStore>(PageLayout::sharing_spare(page_bytes, spare_bytes, page_bytes),
                                        nand::PageStore::Spare::kept));
  SimpleDie ours("simple_die", calendar, page_bytes + spare_bytes,
                 {.read = timing.read_time(0), .program = timing.t_prog, .erase = timing.t_bers});
  Lane with_theirs("theirs", calendar, bus, theirs.socket());
  Lane with_ours("ours", calendar, bus, ours.socket());

  sc_core::sc_start(to_sc_time(100 * millisecond));

  const Sender& a = with_theirs.sender;
  const Sender& b = with_ours.sender;
  std::printf("%-8s %4s %14s %14s  data\n", "command", "page", "DieModule ps", "SimpleDie ps");
  for (std::size_t k = 0; k < b.done.size(); ++k) {
    std::printf("%-8s %4u %14llu %14llu  %02x\n", to_string(steps[k].operation).c_str(), steps[k].page,
                static_cast<unsigned long long>(a.done.at(k)), static_cast<unsigned long long>(b.done[k]),
                static_cast<unsigned>(b.first_bytes[k]));
  }
  const bool same = a.done.size() == steps.size() && a.done == b.done && a.first_bytes == b.first_bytes;
  std::puts(same ? "The same ticks and data." : "Ticks or data differ.");
  return same ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return run(ticks_from_us(argc > 1 ? std::atof(argv[1]) : 1000));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "die: %s\n", error.what());
    return 1;
  }
}
