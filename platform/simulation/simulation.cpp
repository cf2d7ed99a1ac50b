// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/simulation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "platform/config/restorable.h"
#include "platform/config/yaml_reader.h"
#include "platform/simulation/checkpoint_file.h"
#include "platform/simulation/implementation.h"

namespace nandscape {

// The deleter defers the destruction while any thread uses the kernel. A running call holds its own reference.
template <class... Arguments>
std::shared_ptr<Simulation::Implementation> Simulation::make(Arguments&&... arguments) {
  const KernelLock lock;
  return {new Implementation(std::forward<Arguments>(arguments)...),
          [](Implementation* simulation) { KernelLock::when_free([simulation] { delete simulation; }); }};
}

// A call that moves time or changes the simulation.
template <class Body>
auto Simulation::call(Body body) {
  const std::shared_ptr<Implementation> simulation = implementation_;
  const Ownership::Call call(simulation->ownership);
  const KernelLock lock;
  std::optional<KernelContext::Scope> scope;
  if (const KernelContext* context = simulation->context()) scope.emplace(*context);
  return body(*simulation);
}

template <class Body>
auto Simulation::reading(Body body) const {
  const Ownership::Reading reading(implementation_->ownership);
  return body(std::as_const(*implementation_));
}

Simulation::Simulation(Configuration configuration, host::RequestSupplies supplies)
    : implementation_(make(std::move(configuration), std::move(supplies))) {}
Simulation::Simulation(std::shared_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Configuration& Simulation::configuration() const { return implementation_->configuration; }
std::uint64_t Simulation::capacity_bytes() const { return implementation_->capacity_bytes(); }
Tick Simulation::now() const {
  return reading([](const Implementation& s) { return s.now(); });
}
bool Simulation::has_power() const {
  return reading([](const Implementation& s) { return s.has_power(); });
}
bool Simulation::workloads_under_way() const {
  return reading([](const Implementation& s) { return s.workloads_under_way(); });
}
Value Simulation::statistics(Window window) const {
  return reading([window](const Implementation& s) { return s.statistics(window); });
}
Steadiness Simulation::steadiness() const {
  return reading([](const Implementation& s) { return s.steadiness(); });
}
Value Simulation::statistics_reference() const {
  return reading([](const Implementation& s) { return s.statistics_reference(); });
}
RequestLog Simulation::requests() const {
  return reading([](const Implementation& s) { return s.requests(); });
}
Value Simulation::hierarchy() const {
  return reading([](const Implementation& s) { return s.hierarchy(); });
}

bool Simulation::run(const ProgressCallback& progress, RunEnd end) {
  return call([&](Implementation& s) { return s.run(progress, end); });
}
void Simulation::start_workloads() {
  call([](Implementation& s) { s.start_workloads(); });
}
void Simulation::run_until(Tick limit) {
  call([&](Implementation& s) { s.run_until(limit); });
}

CommandHandle Simulation::start_read(std::uint64_t lba, std::uint64_t bytes) {
  return call([&](Implementation& s) { return s.start_read(lba, bytes); });
}
CommandHandle Simulation::start_write(std::uint64_t lba, std::vector<std::byte> data, bool force_unit_access) {
  return call([&](Implementation& s) { return s.start_write(lba, std::move(data), force_unit_access); });
}
CommandHandle Simulation::start_trim(std::uint64_t lba, std::uint64_t sectors) {
  return call([&](Implementation& s) { return s.start_trim(lba, sectors); });
}
CommandHandle Simulation::start_flush() {
  return call([](Implementation& s) { return s.start_flush(); });
}

Tick Simulation::wait(const CommandHandle& command) {
  return call([&](Implementation& s) { return s.wait(command); });
}
void Simulation::wait_all() {
  call([](Implementation& s) { s.wait_all(); });
}
void Simulation::wait_any(Tick limit) {
  call([&](Implementation& s) { s.wait_any(limit); });
}

Tick Simulation::read(std::uint64_t lba, std::span<std::byte> data) {
  return call([&](Implementation& s) {
    const CommandHandle command = s.start_read(lba, data.size());
    const Tick latency = s.wait(command);
    std::ranges::copy(command->data(), data.begin());
    return latency;
  });
}
Tick Simulation::write(std::uint64_t lba, std::span<const std::byte> data, bool force_unit_access) {
  return call([&](Implementation& s) {
    return s.wait(s.start_write(lba, {data.begin(), data.end()}, force_unit_access));
  });
}
Tick Simulation::trim(std::uint64_t lba, std::uint64_t sectors) {
  return call([&](Implementation& s) { return s.wait(s.start_trim(lba, sectors)); });
}
Tick Simulation::flush() {
  return call([](Implementation& s) { return s.wait(s.start_flush()); });
}

Value Simulation::identify() {
  return call([](Implementation& s) { return s.identify(); });
}
Value Simulation::smart_log() {
  return call([](Implementation& s) { return s.smart_log(); });
}
void Simulation::reset() {
  call([](Implementation& s) { s.reset(); });
}

void Simulation::power_cut() {
  call([](Implementation& s) { s.power_cut(); });
}
void Simulation::shut_down() {
  call([](Implementation& s) { s.shut_down(); });
}
void Simulation::power_on() {
  call([](Implementation& s) { s.power_on(); });
}
void Simulation::advance(double hours, double temperature_c, bool powered) {
  call([&](Implementation& s) { s.advance(hours, temperature_c, powered); });
}
void Simulation::checkpoint(const std::string& path) {
  call([&](Implementation& s) { s.checkpoint(path); });
}

Simulation Simulation::restore(const std::string& path, const std::vector<Override>& overrides,
                               const VariantObjects& objects, host::RequestSupplies supplies, bool allow_plugins) {
  const CheckpointFile file = load_checkpoint_file(path);
  const Value tree = read_yaml(file.configuration, {path, 1});
  ForeignPlugins foreign;
  for (const std::string_view key : plugin_keys()) foreign.emplace(key, path);
  Configuration configuration =
      resolve_configuration(tree, overrides, objects, allow_plugins ? ForeignPlugins() : foreign);
  configuration.require_allowed_plugins();
  check_restorable(resolve_configuration(tree, {}, {}, foreign).resolved, configuration.resolved, configuration.given);
  return restore(std::move(configuration), file.state, path, std::move(supplies));
}

Simulation Simulation::restore(Configuration configuration, std::span<const std::byte> state, const std::string& where,
                               host::RequestSupplies supplies) {
  try {
    return Simulation(make(std::move(configuration), std::move(supplies), state));
  } catch (const ArchiveError& error) {
    throw InputError({where, 0}, error.what());
  }
}

void Simulation::fail_next(std::uint32_t die, NandOperation operation, std::uint32_t count) {
  call([&](Implementation& s) { s.drive_with_power().media().fail_next(DieId(die), operation, count); });
}
void Simulation::fail_block(std::uint32_t block) {
  call([&](Implementation& s) { s.drive_with_power().media().fail_block(BlockId(block)); });
}
void Simulation::kill_die(std::uint32_t die) {
  call([&](Implementation& s) { s.drive_with_power().media().kill_die(DieId(die)); });
}

std::uint32_t Simulation::programmed_wordlines(std::uint32_t block) {
  return call([&](Implementation& s) { return s.drive_with_power().media().programmed_wordlines(BlockId(block)); });
}
std::vector<float> Simulation::threshold_voltages(std::uint32_t block, std::uint32_t wordline) {
  return call(
      [&](Implementation& s) { return s.drive_with_power().media().threshold_voltages(BlockId(block), wordline); });
}

}  // namespace nandscape
