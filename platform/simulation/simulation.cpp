// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/simulation.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/message_text.h"
#include "platform/simulation/object_tree.h"
#include "platform/simulation/simulation_parts.h"
#include "platform/simulation/smart_log.h"

namespace nandscape {

namespace {

// The latest simulated time, which is half the range of Tick.
constexpr Tick longest_time = Tick{1} << 63;

// Creates the parts of a simulation. The deleter defers their destruction while any thread uses the kernel. A running
// call holds its own reference to the parts.
template <class... Arguments>
std::shared_ptr<SimulationParts> make(Arguments&&... arguments) {
  const KernelLock lock;
  return {new SimulationParts(std::forward<Arguments>(arguments)...),
          [](SimulationParts* simulation) { KernelLock::when_free([simulation] { delete simulation; }); }};
}

std::uint64_t whole_sectors(std::size_t bytes) {
  if (bytes % sector_bytes != 0) {
    throw RequestError(std::to_string(bytes) + " bytes are not a whole number of sectors of " +
                       std::to_string(sector_bytes) + " bytes");
  }
  return bytes / sector_bytes;
}

host::HostRequest read_of(std::uint64_t lba, std::uint64_t bytes) {
  return {host::RequestKind::read, Lba(lba), whole_sectors(bytes)};
}

host::HostRequest write_of(std::uint64_t lba, std::uint64_t bytes, bool force_unit_access) {
  return {host::RequestKind::write, Lba(lba), whole_sectors(bytes), 0, force_unit_access};
}

host::HostRequest trim_of(std::uint64_t lba, std::uint64_t sectors) {
  return {host::RequestKind::trim, Lba(lba), sectors};
}

constexpr host::HostRequest flush_request{host::RequestKind::flush, Lba(0), 0};

void check_range(const host::HostRequest& request, std::uint64_t capacity) {
  if (request.sectors == 0) throw RequestError("a request of no sectors: it has at least one");
  if (request.sectors > capacity || request.first.value > capacity - request.sectors) {
    throw RequestError("sectors " + std::to_string(request.first.value) + " to " +
                       std::to_string(request.first.value + request.sectors) +
                       " (exclusive) are not all within the capacity of " + std::to_string(capacity) + " sectors");
  }
}

// Starts a command. `data` contains the data of a write.
CommandHandle start(SimulationParts& s, const host::HostRequest& request, std::vector<std::byte> data = {}) {
  if (request.kind != host::RequestKind::flush) check_range(request, s.cycles.capacity_bytes() / sector_bytes);
  if (request.kind == host::RequestKind::read) data.resize(request.sectors * sector_bytes);
  s.loop.bring_up();
  s.measurement.reopen();
  return s.traffic.start(request, std::move(data));
}

std::string failure_text(SimulationParts& s, RequestStatus status) {
  const std::string text = text_of(status);
  const std::string report = s.cycles.on() ? s.cycles.drive().stall_report() : "";
  const bool due_to_it = status == RequestStatus::write_fault || status == RequestStatus::write_protected;
  return report.empty() || !due_to_it ? text : text + ": " + report;
}

Tick wait_for(SimulationParts& s, const CommandHandle& command) {
  if (!s.traffic.owns(command)) throw RequestError("the command belongs to another simulation; wait for it there");
  if (!command->done()) s.loop.run_events(never, {}, command.get());
  if (!command->done()) s.traffic.fail_outstanding(RequestStatus::write_fault);
  if (command->status() != RequestStatus::ok) {
    throw RequestError(failure_text(s, command->status()), std::string(name_of(command->status())));
  }
  return command->latency();
}

}  // namespace

Simulation::Simulation(Configuration configuration, host::RequestSupplies supplies)
    : parts_(make(std::move(configuration), std::move(supplies))) {}
Simulation::Simulation(std::shared_ptr<SimulationParts> parts) : parts_(std::move(parts)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Simulation Simulation::restore(Configuration configuration, std::span<const std::byte> state, const std::string& where,
                               host::RequestSupplies supplies) {
  try {
    return Simulation(make(std::move(configuration), std::move(supplies), state));
  } catch (const ArchiveError& error) {
    throw InputError({where, 0}, error.what());
  }
}

const Configuration& Simulation::configuration() const { return parts_->configuration; }

std::uint64_t Simulation::capacity_bytes() const { return parts_->cycles.capacity_bytes(); }

Tick Simulation::now() const {
  const Ownership::Reading reading(parts_->ownership);
  return parts_->cycles.now();
}

// --- running

bool Simulation::run(const ProgressCallback& progress, RunEnd end) {
  const SimulationCall s(parts_);
  s->traffic.require_workloads();
  s->loop.bring_up();
  s->traffic.start_workloads(end);
  return s->loop.run_events(never, progress);
}

void Simulation::start_workloads() {
  const SimulationCall s(parts_);
  s->traffic.require_workloads();
  s->loop.bring_up();
  s->traffic.start_workloads(RunEnd::workloads);
}

void Simulation::run_until(Tick limit) {
  const SimulationCall s(parts_);
  s->measurement.reopen();
  if (limit > longest_time) {
    throw RequestError("simulated time ends at " + shown(s_from_ticks(longest_time)) +
                       " s (2^63 ps, 106 days), not at " + shown(s_from_ticks(limit)) +
                       " s; advance() lets years pass");
  }
  s->loop.bring_up();
  s->loop.run(std::max(limit, s->cycles.now()));
}

bool Simulation::workloads_under_way() const {
  const Ownership::Reading reading(parts_->ownership);
  return parts_->traffic.workloads_under_way();
}

// --- single commands

CommandHandle Simulation::start_read(std::uint64_t lba, std::uint64_t bytes) {
  const SimulationCall s(parts_);
  return start(*s, read_of(lba, bytes));
}

CommandHandle Simulation::start_write(std::uint64_t lba, std::vector<std::byte> data, bool force_unit_access) {
  const SimulationCall s(parts_);
  const host::HostRequest request = write_of(lba, data.size(), force_unit_access);
  return start(*s, request, std::move(data));
}

CommandHandle Simulation::start_trim(std::uint64_t lba, std::uint64_t sectors) {
  const SimulationCall s(parts_);
  return start(*s, trim_of(lba, sectors));
}

CommandHandle Simulation::start_flush() {
  const SimulationCall s(parts_);
  return start(*s, flush_request);
}

Tick Simulation::wait(const CommandHandle& command) {
  const SimulationCall s(parts_);
  return wait_for(*s, command);
}

void Simulation::wait_all() {
  const SimulationCall s(parts_);
  while (!s->traffic.outstanding().empty()) {
    const CommandHandle last = s->traffic.outstanding().back();
    s->loop.run_events(never, {}, last.get());
    if (!last->done()) s->traffic.fail_outstanding(RequestStatus::write_fault);
  }
}

void Simulation::wait_any(Tick limit) {
  const SimulationCall s(parts_);
  if (!s->traffic.under_way() && limit == never) return;
  const std::uint64_t& ends = s->traffic.ends();
  const std::uint64_t before = ends;
  s->loop.run_events(std::max(limit, s->cycles.now()), {}, &ends);
  if (limit == never && ends == before) s->traffic.fail_outstanding(RequestStatus::write_fault);
}

Tick Simulation::read(std::uint64_t lba, std::span<std::byte> data) {
  const SimulationCall s(parts_);
  const CommandHandle command = start(*s, read_of(lba, data.size()));
  const Tick latency = wait_for(*s, command);
  std::ranges::copy(command->data(), data.begin());
  return latency;
}

Tick Simulation::write(std::uint64_t lba, std::span<const std::byte> data, bool force_unit_access) {
  const SimulationCall s(parts_);
  return wait_for(*s, start(*s, write_of(lba, data.size(), force_unit_access), {data.begin(), data.end()}));
}

Tick Simulation::trim(std::uint64_t lba, std::uint64_t sectors) {
  const SimulationCall s(parts_);
  return wait_for(*s, start(*s, trim_of(lba, sectors)));
}

Tick Simulation::flush() {
  const SimulationCall s(parts_);
  return wait_for(*s, start(*s, flush_request));
}

// --- the NVMe controller

Value Simulation::identify() {
  const SimulationCall s(parts_);
  s->loop.bring_up();
  const host::ControllerFacts& facts = s->cycles.driver().controller();
  constexpr std::uint8_t present = 1;
  constexpr std::uint8_t reads_as = 0x7;
  constexpr std::uint8_t zeroes = 1;
  return Value(Value::Map{
      {"volatile_write_cache", (facts.volatile_write_cache & present) != 0},
      {"atomic_write_sectors", int{facts.atomic_write} + 1},
      {"atomic_write_sectors_power_fail", int{facts.atomic_in_power_fail} + 1},
      {"deallocated_reads_zeroes", (facts.deallocated & reads_as) == zeroes},
  });
}

namespace {

struct AdminAnswer {
  nvme::CompletionEntry entry;
  std::vector<std::byte> data;
};

// Runs simulated time until the admin command that `send(driver, answer)` sends has completed.
template <class Send>
AdminAnswer answer_to_admin_command(SimulationParts& s, Send send) {
  s.measurement.reopen();
  s.loop.bring_up();
  const auto answer = std::make_shared<std::optional<AdminAnswer>>();
  // The answer may arrive after this call has been interrupted, so the callback holds only a weak pointer to it.
  send(s.cycles.driver(), [&traffic = s.traffic, asked = std::weak_ptr(answer)](const nvme::CompletionEntry& entry,
                                                                                std::span<const std::byte> data) {
    const auto arrived = asked.lock();
    if (arrived == nullptr) return;
    arrived->emplace(AdminAnswer{entry, {data.begin(), data.end()}});
    traffic.arrived(arrived.get());
  });
  s.loop.run_until_done([&] { return answer->has_value(); }, answer.get(), "an admin command was never completed");
  return std::move(**answer);
}

// Sends Set Features. Throws RequestError with the message `refusal` if the drive refuses the value.
void set_feature(SimulationParts& s, nvme::Feature feature, std::uint32_t value, std::span<const std::byte> data,
                 const std::string& refusal) {
  const AdminAnswer answer = answer_to_admin_command(s, [&](host::Driver& driver, host::AdminQueue::Answer then) {
    driver.set_feature(feature, value, data, std::move(then));
  });
  if (nvme::status_of(answer.entry) != nvme::Status::success) throw RequestError(refusal);
}

Value value_of(const nvme::PowerStateDescriptor& state) {
  constexpr std::uint8_t fine_power = 1;  // in units of 0.1 mW instead of 10 mW
  constexpr std::uint8_t not_operational = 2;
  const auto milliwatts = [](std::uint16_t value, bool fine) { return value * (fine ? 0.1 : 10.0); };
  return Value(Value::Map{
      {"max_mw", milliwatts(state.mp, (state.flags & fine_power) != 0)},
      {"operational", (state.flags & not_operational) == 0},
      {"entry_us", std::uint64_t{state.enlat}},
      {"exit_us", std::uint64_t{state.exlat}},
      {"idle_mw", milliwatts(state.idlp, state.ips >> 6 == 1)},
  });
}

// Describes the states of the drive, for messages.
std::string states_of(const SimulationParts& s) {
  const std::size_t states = s.configuration.parameters.host.nvme.power_states.size();
  if (states == 0) return "the drive has only state 0 (host.nvme.power_states)";
  return "the drive has the states 0 to " + std::to_string(states - 1) + " (host.nvme.power_states)";
}

}  // namespace

Value Simulation::smart_log() {
  const SimulationCall s(parts_);
  const AdminAnswer answer = answer_to_admin_command(*s, [](host::Driver& driver, host::AdminQueue::Answer then) {
    driver.get_log_page(nvme::LogPage::smart, sizeof(nvme::SmartLog), std::move(then));
  });
  nvme::SmartLog log;
  std::memcpy(&log, answer.data.data(), sizeof log);
  return value_of(log);
}

Value Simulation::power_states() {
  const SimulationCall s(parts_);
  s->loop.bring_up();
  Value::List states;
  for (const nvme::PowerStateDescriptor& state : s->cycles.driver().controller().power_states) {
    states.push_back(value_of(state));
  }
  return Value(std::move(states));
}

std::uint32_t Simulation::power_state() {
  const SimulationCall s(parts_);
  const AdminAnswer answer = answer_to_admin_command(*s, [](host::Driver& driver, host::AdminQueue::Answer then) {
    driver.get_feature(nvme::Feature::power_management, std::move(then));
  });
  return answer.entry.dw0 & 0x1f;
}

void Simulation::set_power_state(std::uint32_t state) {
  const SimulationCall s(parts_);
  const std::string refusal = "the drive refuses power state " + std::to_string(state) + "; " + states_of(*s);
  if (state >= nvme::most_power_states) throw RequestError(refusal);
  set_feature(*s, nvme::Feature::power_management, state, {}, refusal);
}

void Simulation::set_power_transitions(std::span<const PowerTransition> transitions) {
  const SimulationCall s(parts_);
  constexpr std::uint32_t longest_idle_ms = 0xff'ffff;
  host::TransitionTable table{};
  for (const PowerTransition& t : transitions) {
    if (t.from >= table.size() || t.to >= table.size() || t.idle_ms == 0 || t.idle_ms > longest_idle_ms) {
      throw RequestError("a transition leads from a state to another, both below 32, after an idle time of 1 to " +
                         std::to_string(longest_idle_ms) + " ms");
    }
    table[t.from] = std::uint64_t{t.idle_ms} << 8 | std::uint64_t{t.to} << 3;
  }
  set_feature(*s, nvme::Feature::autonomous_power_state_transition, transitions.empty() ? 0 : 1,
              std::as_bytes(std::span(table)),
              "the drive refuses the transitions: each must lead to a non-operational state with a higher number; " +
                  states_of(*s));
}

void Simulation::reset() {
  const SimulationCall s(parts_);
  s->measurement.reopen();
  s->loop.reset_controller();
}

// --- flash

MediaAccess::MediaAccess(const std::shared_ptr<SimulationParts>& simulation)
    : call_(std::make_unique<SimulationCall>(simulation)) {
  PowerCycles& cycles = (*call_)->cycles;
  cycles.require_power();
  probe_ = &cycles.drive().media();
}

MediaAccess::~MediaAccess() = default;

MediaAccess Simulation::media() { return MediaAccess(parts_); }

// --- results

Value Simulation::statistics(Window window) const {
  const Ownership::Reading reading(parts_->ownership);
  return parts_->measurement.statistics(window);
}

Steadiness Simulation::steadiness() const {
  const Ownership::Reading reading(parts_->ownership);
  return parts_->measurement.steadiness();
}

Value Simulation::statistics_reference() const {
  const Ownership::Reading reading(parts_->ownership);
  return parts_->measurement.statistics_reference();
}

controller::BlockView Simulation::blocks() const {
  const Ownership::Reading reading(parts_->ownership);
  parts_->cycles.require_power();
  if (std::optional<controller::BlockView> view = parts_->cycles.drive().blocks()) return *std::move(view);
  throw RequestError("the drive is of kind " + parts_->configuration.parameters.simulation.blocks.drive.kind.name +
                     " (simulation.blocks.drive), whose controller does not show its blocks; that of built_in does");
}

RequestLog Simulation::requests() const {
  const Ownership::Reading reading(parts_->ownership);
  return parts_->measurement.recorder().log();
}

Value Simulation::hierarchy() const {
  const Ownership::Reading reading(parts_->ownership);
  parts_->cycles.require_power();
  return object_tree(parts_->cycles.context());
}

}  // namespace nandscape
