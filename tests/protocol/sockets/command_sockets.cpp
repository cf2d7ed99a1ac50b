// SPDX-License-Identifier: Apache-2.0
// Tests the sockets between the controller and a channel, and between a channel and its dies. An external block may be
// at either end of a socket. Commands must then pass at the same times and with the same results as between the
// built-in blocks, at every quantum.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "channel/channel_module.h"
#include "nand/die_module.h"
#include "protocol/nand_features.h"
#include "socket_cases.h"

namespace nandscape {
namespace {

using Protocol = JobProtocol<NandCommand>;

constexpr std::uint32_t dies = 2;
constexpr std::uint32_t page_bytes = 4096;

// The geometry and the times of the flash, shared by the built-in and the external blocks.
struct Facts {
  explicit Facts(bool takes_time) : nand(nand_parameters(takes_time)), bus(channel_parameters(takes_time), geometry) {}

  static nand::NandParameters nand_parameters(bool takes_time) {
    nand::NandParameters p;
    if (!takes_time) {
      p.timing.t_pre_us = p.timing.t_eval_us = p.timing.t_disch_us = 0;
      p.timing.t_prog_us = p.timing.t_bers_us = p.timing.t_feat_us = 0;
    }
    return p;
  }
  static channel::ChannelParameters channel_parameters(bool takes_time) {
    channel::ChannelParameters p;
    if (!takes_time) {
      p.rate_mt_s = 1'000'000'000;
      p.t_cycle_ns = p.t_wb_ns = p.t_rr_ns = p.t_adl_ns = p.t_whr_ns = p.t_preamble_ns = p.t_postamble_ns = 0;
    }
    return p;
  }
  std::unique_ptr<nand::PageStore> make_store() const {
    return std::make_unique<nand::PageStore>(PageLayout::sharing_spare(page_bytes, 256, page_bytes),
                                             nand::PageStore::Spare::left_out);
  }

  Geometry geometry{.chips_per_channel = dies, .blocks_per_plane = 4, .pages_per_block = 12, .page_bytes = page_bytes};
  nand::NandTiming nand;
  channel::BusTiming bus;
};

// A list of commands that is the same for each die: programs, reads, a feature, an erase, and a read of the erased
// page.
struct Commands {
  explicit Commands(std::uint32_t die_count = dies) {
    using enum NandOperation;
    std::uint8_t value = 0;
    for (const auto& [operation, page] :
         {std::pair{program, 0u}, {program, 1u}, {read, 0u}, {read, 1u}, {set_feature, 0u}, {erase, 0u}, {read, 0u}}) {
      for (std::uint32_t die = 0; die < die_count; ++die) {
        NandCommand& command = list.emplace_back();
        command.operation = operation;
        command.die = DieInChannel(die);
        command.page = page;
        command.feature = feature::vref_offset(1);
        if (operation == program || operation == read) command.bytes = page_bytes;
        pages.push_back(std::make_unique<std::array<std::byte, page_bytes + 256>>());
        pages.back()->fill(operation == program ? std::byte{++value} : std::byte{0});
        command.data = pages.back()->data();
      }
    }
  }
  // Checks that the reads returned the programmed data, and ones after the erase.
  void check() const {
    std::vector<int> found;
    for (std::size_t k = 0; k < list.size(); ++k) {
      CHECK(list[k].status == NandStatus::pass);
      if (list[k].operation == NandOperation::read) found.push_back(static_cast<int>(pages[k]->front()));
    }
    CHECK(found == (found.size() == 3 ? std::vector{1, 2, 0xff} : std::vector{1, 2, 3, 4, 0xff, 0xff}));
  }

  std::vector<NandCommand> list;
  std::vector<std::unique_ptr<std::array<std::byte, page_bytes + 256>>> pages;
};

// Does the work of an external die, by means of the state machine of the built-in die.
class DieService final : public Service {
 public:
  explicit DieService(const Facts& facts)
      : store_(facts.make_store()), die_("foreign", facts.geometry, facts.nand, store_.get()) {}

  Times begin(tlm::tlm_generic_payload& payload, Tick now) override {
    NandCommand& command = job_of<NandCommand>(payload);
    const Tick end = die_.issue(command, now);
    if (answered_at_once(command.operation)) return {now, now};
    die_.finish(end);
    return {now, end};
  }
  void response_ended(tlm::tlm_generic_payload& payload, Tick now) override {
    if (!answered_at_once(job_of<NandCommand>(payload).operation)) die_.release(now);
  }

 private:
  const std::unique_ptr<nand::PageStore> store_;
  nand::Die die_;
};

// Does the work of an external channel and its dies. Executes one command at a time.
class ChannelService final : public Service {
 public:
  explicit ChannelService(const Facts& facts) : bus_(facts.bus) {
    for (std::uint32_t die = 0; die < dies; ++die) dies_.push_back(std::make_unique<DieService>(facts));
  }

 private:
  Times begin(tlm::tlm_generic_payload& payload, Tick now) override {
    NandCommand& command = job_of<NandCommand>(payload);
    const Times times = dies_[command.die.value]->begin(payload, now + bus_.request(command));
    if (!answered_at_once(command.operation)) command.response_time = bus_.response(command);
    return times;
  }
  void response_ended(tlm::tlm_generic_payload& payload, Tick now) override {
    dies_[job_of<NandCommand>(payload).die.value]->response_ended(payload, now);
  }

  const channel::BusTiming& bus_;
  std::vector<std::unique_ptr<DieService>> dies_;
};

// A built-in channel. If a case is given, its dies are external dies for this case; otherwise they are built-in dies.
class Channel {
 public:
  Channel(Calendar& calendar, const Facts& facts, const std::optional<TargetCase>& foreign_dies = {})
      : module_("channel", calendar, facts.bus, channel::BusArbitration::command_first, dies) {
    for (std::uint32_t die = 0; die < dies; ++die) {
      const std::string name = "die_" + std::to_string(die);
      JobTargetSocket<NandCommand>* socket = nullptr;
      if (foreign_dies) {
        services_.push_back(std::make_unique<DieService>(facts));
        foreign_.push_back(std::make_unique<ForeignTarget<Protocol>>(name.c_str(), *services_.back(),
                                                                     foreign_dies->answer, foreign_dies->process));
        socket = &foreign_.back()->socket;
      } else {
        built_in_.push_back(
            std::make_unique<nand::DieModule>(name.c_str(), calendar, facts.geometry, facts.nand, facts.make_store()));
        socket = &built_in_.back()->socket();
      }
      links_.push_back(std::make_unique<Link<NandCommand>>(module_.die_socket(DieInChannel(die)), *socket));
    }
  }
  JobTargetSocket<NandCommand>& socket() { return module_.socket(); }

 private:
  channel::ChannelModule module_;
  std::vector<std::unique_ptr<nand::DieModule>> built_in_;
  std::vector<std::unique_ptr<DieService>> services_;
  std::vector<std::unique_ptr<ForeignTarget<Protocol>>> foreign_;
  std::vector<std::unique_ptr<Link<NandCommand>>> links_;
};

const Passages& run(Bench& bench, const Commands& commands, const Passages& passages) {
  bench.run();
  commands.check();
  return passages;
}

// Returns the times at which commands pass from the built-in initiator through a built-in channel.
Passages with_dies(const std::optional<TargetCase>& foreign, bool takes_time, std::size_t batch, Tick quantum,
                   Tick pause = some_time) {
  Bench bench(quantum, foreign && !answers_in_the_call(foreign->answer));
  const Facts facts(takes_time);
  Commands commands;
  PortInitiator<NandCommand> initiator("initiator", bench.calendar, commands.list, batch, pause);
  Channel channel(bench.calendar, facts, foreign);
  const Link<NandCommand> link(initiator.socket(), channel.socket());
  return run(bench, commands, initiator.passages);
}

Passages with_channel(const TargetCase& foreign, bool takes_time, Tick quantum) {
  Bench bench(quantum, !answers_in_the_call(foreign.answer));
  const Facts facts(takes_time);
  Commands commands;
  PortInitiator<NandCommand> initiator("initiator", bench.calendar, commands.list);
  ChannelService service(facts);
  ForeignTarget<Protocol> channel("channel", service, foreign.answer, foreign.process);
  const Link<NandCommand> link(initiator.socket(), channel.socket);
  return run(bench, commands, initiator.passages);
}

Passages with_initiator(const InitiatorCase<NandCommand>& foreign, bool takes_time, Tick quantum) {
  Bench bench(quantum, true);
  const Facts facts(takes_time);
  Commands commands;
  ForeignInitiator<NandCommand> initiator("initiator", commands.list, foreign);
  Channel channel(bench.calendar, facts);
  const Link<NandCommand> link(initiator.socket, channel.socket());
  return run(bench, commands, initiator.passages);
}

// Returns the times at which commands pass to a die that is connected directly, without a channel.
Passages with_die_alone(const std::optional<InitiatorCase<NandCommand>>& foreign, bool takes_time, Tick pause,
                        Tick quantum) {
  Bench bench(quantum, foreign.has_value());
  const Facts facts(takes_time);
  Commands commands(1);
  nand::DieModule die("die", bench.calendar, facts.geometry, facts.nand, facts.make_store());
  if (foreign) {
    ForeignInitiator<NandCommand> initiator("initiator", commands.list, *foreign);
    const Link<NandCommand> link(initiator.socket, die.socket());
    return run(bench, commands, initiator.passages);
  }
  PortInitiator<NandCommand> initiator("initiator", bench.calendar, commands.list, 1, pause);
  const Link<NandCommand> link(initiator.socket(), die.socket());
  return run(bench, commands, initiator.passages);
}

TEST_CASE("command sockets: every die gives a channel the ticks and the results of ours") {
  const bool takes_time = GENERATE(true, false);
  // With a batch of two, both dies are busy at the same time. If operations take no time, a die that answers from a
  // process answers later at the same time than the built-in die, when the other die may already have the bus. The test
  // then uses a batch of one.
  const std::size_t batch = takes_time ? GENERATE(1u, 2u) : 1u;
  const Passages ours = with_dies({}, takes_time, batch, 0);
  const Tick quantum = any_quantum();
  CAPTURE(takes_time, batch, quantum);
  CHECK(with_dies({}, takes_time, batch, quantum) == ours);
  for (const TargetCase& die : target_cases()) {
    // Without END_REQ, the request to the other die would begin later.
    if (batch != 1 && !tells_end_of_request(die.answer)) continue;
    CAPTURE(die.answer, die.process);
    CHECK(with_dies(die, takes_time, batch, quantum) == expected(ours, die));
  }
}

TEST_CASE("command sockets: every channel gives an initiator the ticks and the results of ours") {
  const bool takes_time = GENERATE(true, false);
  const Passages ours = with_dies({}, takes_time, 1, 0);
  const Tick quantum = any_quantum();
  CAPTURE(takes_time, quantum);
  for (const TargetCase& channel : target_cases()) {
    CAPTURE(channel.answer, channel.process);
    CHECK(with_channel(channel, takes_time, quantum) == expected(ours, channel));
  }
}

TEST_CASE("command sockets: every initiator gets from a channel the ticks and the results of ours") {
  const bool takes_time = GENERATE(true, false);
  const Tick pause = GENERATE(some_time, Tick{0});
  const Passages ours = with_dies({}, takes_time, 1, 0, pause);
  const Tick quantum = any_quantum();
  CAPTURE(takes_time, pause, quantum);
  for (const auto& initiator : initiator_cases<NandCommand>(pause)) {
    CAPTURE(initiator.end, initiator.method, initiator.ahead);
    CHECK(with_initiator(initiator, takes_time, quantum) == expected(ours, initiator.end));
  }
}

TEST_CASE("command sockets: every initiator gets from a die the ticks and the results of ours") {
  const bool takes_time = GENERATE(true, false);
  const Tick pause = GENERATE(some_time, Tick{0});
  const Passages ours = with_die_alone({}, takes_time, pause, 0);
  const Tick quantum = any_quantum();
  CAPTURE(takes_time, pause, quantum);
  for (const auto& initiator : initiator_cases<NandCommand>(pause)) {
    CAPTURE(initiator.end, initiator.method, initiator.ahead);
    CHECK(with_die_alone(initiator, takes_time, pause, quantum) == expected(ours, initiator.end));
  }
}

}  // namespace
}  // namespace nandscape
