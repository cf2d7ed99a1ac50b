// SPDX-License-Identifier: Apache-2.0
// Power, ageing, and checkpoints.
#include <exception>
#include <utility>

#include "core/error.h"
#include "core/interruption.h"
#include "core/message_text.h"
#include "platform/config/configuration_checks.h"
#include "platform/config/yaml_reader.h"
#include "platform/simulation/checkpoint_file.h"
#include "platform/simulation/simulation.h"
#include "platform/simulation/simulation_parts.h"

namespace nandscape {

namespace {

// Limits of the arguments of advance(). The cell models are valid far beyond these limits.
constexpr double hours_per_year = 365.25 * 24;
constexpr double longest_hours = 100 * hours_per_year;
constexpr double lowest_temperature_c = -40;
constexpr double highest_temperature_c = 125;

// Throws an exception unless the power can be switched off. The next power cycle creates a new machine, so every block
// must be able to save its non-volatile state.
void check_lasting(SimulationParts& s) {
  s.cycles.require_power();
  s.cycles.drive().check_lasting();
  if (s.cycles.machine().host().pci_port() == nullptr) s.cycles.driver();
}

void switch_off(SimulationParts& s) {
  s.measurement.keep_moment();
  s.cycles.switch_off();
  s.power_ended();
}

// Simulates a power failure. If the call is interrupted, the capacitor's hold-up ends at once, and the drive is off.
void cut_power(SimulationParts& s) {
  check_lasting(s);
  s.measurement.reopen();
  s.cycles.mark("power cut");
  if (s.cycles.has_driver()) s.cycles.driver().power_lost();
  s.traffic.fail_outstanding(RequestStatus::power_lost);
  s.cycles.machine().host().front_end().host_lost();
  std::exception_ptr interrupted;
  try {
    s.cycles.drive().power_cut(s.loop);
  } catch (const Interrupted&) {
    interrupted = std::current_exception();
  }
  switch_off(s);
  if (interrupted) std::rethrow_exception(interrupted);
}

[[noreturn]] void fail_to_settle(SimulationParts& s) {
  const std::string waiting = s.cycles.drive().waiting();
  cut_power(s);
  throw Error("the flash has no room for the remaining work of the drive, which is now off, as after a power cut; " +
              waiting);
}

void stay_off(SimulationParts& s) {
  s.cycles.drop();
  s.power_ended();
}

}  // namespace

bool Simulation::has_power() const {
  const Ownership::Reading reading(parts_->ownership);
  return parts_->cycles.on();
}

void Simulation::power_cut() {
  const SimulationCall s(parts_);
  cut_power(*s);
}

// An interruption turns the shutdown into a power cut.
void Simulation::shut_down() {
  const SimulationCall s(parts_);
  check_lasting(*s);
  s->traffic.must_be_idle("the drive is shut down");
  s->measurement.reopen();
  bool at_rest = false;
  try {
    if (s->cycles.has_driver() && s->cycles.driver().ready()) {
      s->cycles.driver().shut_down();
      s->loop.run(never);
    }
    at_rest = s->cycles.drive().shut_down(s->loop);
  } catch (const Interrupted&) {
    cut_power(*s);
    throw;
  }
  if (!at_rest) fail_to_settle(*s);
  switch_off(*s);
}

// If the power-on fails or is interrupted, the drive stays off with its state unchanged.
void Simulation::power_on() {
  const SimulationCall s(parts_);
  if (s->cycles.on()) throw RequestError("the drive has power already");
  s->measurement.reopen();
  try {
    s->cycles.begin_from_flash();
    const KernelContext::Scope scope(s->cycles.context());
    s->traffic.add_workloads();
    s->cycles.drive().recover(s->loop);
    s->loop.bring_up();
  } catch (const ArchiveError& error) {
    stay_off(*s);
    throw InputError({"checkpoint of the mapping", 0}, error.what());
  } catch (...) {
    stay_off(*s);
    throw;
  }
  s->cycles.came_up();
  s->cycles.mark("power on");
}

void Simulation::advance(double hours, double temperature_c, bool powered) {
  const SimulationCall s(parts_);
  if (!(hours >= 0)) throw RequestError("time does not pass backwards");
  if (!(hours <= longest_hours)) {
    throw RequestError("at most 100 years pass at a time, not " + shown(hours / hours_per_year));
  }
  if (!(temperature_c >= lowest_temperature_c && temperature_c <= highest_temperature_c)) {
    throw RequestError("flash ages at " + shown(lowest_temperature_c) + " to " + shown(highest_temperature_c) +
                       " degrees Celsius, not at " + shown(temperature_c));
  }
  if (!s->cycles.on()) {
    if (powered) s->cycles.require_power();
    s->cycles.rest(hours, temperature_c);
    return;
  }
  s->traffic.must_be_idle("time passes");
  s->measurement.reopen();
  s->loop.run(never);
  if (hours == 0) return;
  if (powered) {
    s->cycles.drive().age_in_use(hours, temperature_c, s->loop);
  } else {
    s->cycles.drive().age(hours, temperature_c);
  }
}

void Simulation::checkpoint(const std::string& path) {
  const SimulationCall s(parts_);
  s->cycles.require_power();
  s->cycles.drive().check_persistent();
  s->cycles.machine().host().check_persistent();
  if (s->traffic.has_supplies()) {
    throw ConfigError({}, "host.workload",
                      "a checkpoint cannot hold requests that the program gives to a workload; make the checkpoint "
                      "without them, and give them to the restored simulation");
  }
  s->traffic.must_be_idle("a checkpoint is made");
  for (const auto& [key, object] : s->configuration.objects) {
    throw RequestError(key + " is " + object->name() +
                       ", an object that no file can keep; a checkpoint needs policies with registered names");
  }
  if (!s->cycles.drive().settle(s->loop)) fail_to_settle(*s);
  Archive archive;
  s->persist(archive);
  const std::vector<std::byte> state = archive.take();
  save_checkpoint_file(path, s->configuration.to_yaml(), state);
  // load() destroys the old drive before it builds the new one, so it must not be interrupted.
  const Interruptible to_the_end([] { return true; });
  s->load(state);
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

}  // namespace nandscape
