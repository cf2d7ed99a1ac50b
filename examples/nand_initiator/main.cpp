// SPDX-License-Identifier: Apache-2.0
// Drives two dies, each behind its own channel: the first by blocking calls, the second by the phases of nb_transport.
// Protocol checkers watch both links. Prints the times of the phases in nanoseconds. Fails unless the times are the
// same both ways, and equal the sums of the bus and array times.
//
//   nand_initiator [quantum_us]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "blocking_initiator.h"
#include "channel/channel_module.h"
#include "nand/die_module.h"
#include "phases_initiator.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"

namespace {

using namespace nandscape;

// A die behind a channel, with a checker in front of the channel.
struct Flash {
  Flash(const std::string& name, Calendar& calendar, const Geometry& geometry, const channel::BusTiming& bus,
        const nand::NandTiming& timing)
      : checker((name + "_checker").c_str()),
        channel((name + "_channel").c_str(), calendar, bus, channel::BusArbitration::command_first, 1),
        die((name + "_die").c_str(), calendar, geometry, timing,
            std::make_unique<nand::PageStore>(PageLayout::sharing_spare(page_bytes, 256, page_bytes),
                                              nand::PageStore::Spare::left_out)) {
    checker.initiator.bind(channel.socket());
    channel.die_socket(DieInChannel(0)).bind(die.socket());
  }

  ProtocolChecker<JobProtocol<NandCommand>> checker;
  channel::ChannelModule channel;
  nand::DieModule die;
};

Tick array_time(const NandCommand& command, const nand::NandTiming& timing) {
  switch (command.operation) {
    case NandOperation::read: return timing.read_time(command.page);
    case NandOperation::program: return timing.t_prog;
    default: return timing.t_bers;
  }
}

int run(Tick quantum) {
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  driver.limit_lookahead(0);  // no lookahead, since the initiators may call at any time

  const Geometry geometry{.blocks_per_plane = 4, .pages_per_block = 8, .page_bytes = page_bytes, .spare_bytes = 256};
  const channel::BusTiming bus(channel::ChannelParameters{}, geometry);
  nand::NandParameters parameters;
  parameters.coding = "slc";
  const nand::NandTiming timing(parameters);

  Flash first("first", calendar, geometry, bus, timing);
  Flash second("second", calendar, geometry, bus, timing);
  BlockingInitiator blocking("blocking");
  PhasesInitiator phases("phases");
  blocking.socket.bind(first.checker.target);
  phases.socket.bind(second.checker.target);

  sc_core::sc_start(to_sc_time(100 * millisecond));

  bool right = blocking.data_right && phases.data_right && blocking.times.size() == steps.size() &&
               phases.times.size() == steps.size();
  std::printf("%-7s %4s %12s %12s %12s %12s %14s\n", "command", "page", "begin_req ns", "end_req", "begin_resp",
              "end_resp", "b_transport");
  for (std::size_t k = 0; right && k < steps.size(); ++k) {
    const Times& t = phases.times[k];
    const auto ns = [](Tick tick) { return static_cast<double>(tick) / nanosecond; };
    std::printf("%-7s %4u %12.3f %12.3f %12.3f %12.3f %14.3f\n", to_string(steps[k].operation).c_str(), steps[k].page,
                ns(t.begin_request), ns(t.end_request), ns(t.begin_response), ns(t.end_response),
                ns(blocking.times[k].end_response));
    const NandCommand command = command_of(steps[k], nullptr);
    right = t.end_request == t.begin_request + bus.request(command) &&
            t.begin_response == t.end_request + array_time(command, timing) &&
            t.end_response == t.begin_response + bus.response(command) &&
            blocking.times[k].begin_request == t.begin_request && blocking.times[k].end_response == t.end_response;
  }
  std::puts(right ? "Both ways come to the same ticks and data." : "Ticks or data are wrong.");
  return right ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return run(ticks_from_us(argc > 1 ? std::atof(argv[1]) : 1000));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nand_initiator: %s\n", error.what());
    return 1;
  }
}
