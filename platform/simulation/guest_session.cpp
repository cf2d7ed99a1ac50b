// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/guest_session.h"

#include "core/error.h"
#include "host/guest/guest_machine.h"
#include "platform/simulation/simulation_parts.h"

namespace nandscape {

namespace guest = host::guest;

struct GuestSession::Parts final : guest::DriveTime {
  Parts(std::shared_ptr<SimulationParts> parts, const Sockets& sockets, std::uint64_t time_of_day_s)
      : simulation(std::move(parts)),
        machine({sockets.time, sockets.pci, sockets.console}, time_of_day_s * 1'000'000'000) {}

  // Implementation of DriveTime.
  Tick now() const override { return simulation->cycles.now(); }
  Tick next_event() const override { return simulation->cycles.calendar().next_time(); }
  void run(Tick limit) override {
    if (limit != never && next_event() > limit) return simulation->cycles.calendar().advance(limit);
    simulation->loop.run(limit);
  }
  void stop() override { simulation->loop.stop(); }

  PciPort* port() const { return simulation->cycles.on() ? simulation->cycles.machine().host().pci_port() : nullptr; }
  // Connects the guest to the drive of the present power cycle.
  void connect() {
    PciPort* const there = port();
    if (there == nullptr) return machine.detach();
    if (there->attached() == &machine.host()) return;
    there->attach(&machine.host());
    machine.attach(there->function(), *this);
  }

  const std::shared_ptr<SimulationParts> simulation;
  guest::GuestMachine machine;
};

GuestSession::GuestSession(Simulation& simulation, const Sockets& sockets, std::uint64_t time_of_day_s)
    : parts_(std::make_unique<Parts>(simulation.parts_, sockets, time_of_day_s)) {
  const SimulationCall s(parts_->simulation);
  s->cycles.require_power();
  if (parts_->port() == nullptr) {
    throw ConfigError({}, "simulation.blocks.host",
                      "a guest needs the host \"pci_port\", not \"" +
                          s->configuration.parameters.simulation.blocks.host.kind.name + "\"");
  }
  parts_->connect();
}

GuestSession::~GuestSession() {
  PciPort* const there = parts_->port();
  if (there != nullptr && there->attached() == &parts_->machine.host()) there->attach(nullptr);
}

GuestSession::End GuestSession::run(std::optional<std::uint64_t> limit_ns) {
  const SimulationCall s(parts_->simulation);
  s->measurement.reopen();
  parts_->connect();
  switch (parts_->machine.run(limit_ns.value_or(guest::no_time))) {
    case guest::GuestMachine::End::line: return End::line;
    case guest::GuestMachine::End::limit: return End::limit;
    case guest::GuestMachine::End::gone: break;
  }
  return End::gone;
}

void GuestSession::send(const std::string& line) { parts_->machine.send(line); }
std::optional<std::string> GuestSession::take_line() { return parts_->machine.take_line(); }
std::uint64_t GuestSession::now_ns() const { return parts_->machine.now(); }

Value GuestSession::counters() const {
  const guest::PciTransport::Counters& c = parts_->machine.counters();
  return Value(Value::Map{{"configuration_accesses", c.configuration_accesses},
                          {"register_reads", c.register_reads},
                          {"register_writes", c.register_writes},
                          {"dma_reads", c.dma_reads},
                          {"dma_writes", c.dma_writes},
                          {"refused_dma", c.refused_dma},
                          {"interrupts", c.interrupts},
                          {"turns", parts_->machine.turns()}});
}

}  // namespace nandscape
