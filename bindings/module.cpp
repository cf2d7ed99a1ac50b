// SPDX-License-Identifier: Apache-2.0
// The module nandscape._core, which binds the facade. The Python package wraps it in the public interface.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.h"
#include "blocks.h"
#include "ceilings.h"
#include "cells.h"
#include "content.h"
#include "conversion.h"
#include "core/poisson_interval.h"
#include "core/statistics.h"
#include "ecc.h"
#include "guest.h"
#include "interruptible.h"
#include "platform/config/compatibility.h"
#include "platform/config/configuration.h"
#include "platform/simulation/simulation.h"
#include "policies.h"
#include "read_timing.h"
#include "requests.h"
#include "retention_requirements.h"

namespace nandscape::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;

// Reports progress to a Python callable. An exception of the callable must not pass through the SystemC kernel, so
// report() stores it and ends the run, and finish() rethrows it.
class ProgressRelay {
 public:
  explicit ProgressRelay(py::object callable) : callable_(std::move(callable)) {}

  bool report(const Progress& progress) {
    const WayIntoPython way;
    const py::gil_scoped_acquire acquired;
    try {
      return !callable_(progress.completed, progress.expected, progress.now).is(py::bool_(false));
    } catch (const py::error_already_set&) {
      raised_ = std::current_exception();
      return false;
    }
  }

  void finish() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  py::object callable_;
  std::exception_ptr raised_;
};

Window window_of(const std::string& name) {
  if (name == "measured") return Window::measured;
  if (name == "afterwards") return Window::afterwards;
  if (name == "all") return Window::all;
  throw py::value_error("a window is \"measured\", \"afterwards\" or \"all\", not \"" + name + "\"");
}

bool run(Simulation& simulation, py::object callable, bool until_steady) {
  const RunEnd end = until_steady ? RunEnd::steady : RunEnd::workloads;
  if (callable.is_none()) return interruptible([&] { return simulation.run({}, end); });
  ProgressRelay relay(std::move(callable));
  const bool finished = interruptible(
      [&] { return simulation.run([&](const Progress& progress) { return relay.report(progress); }, end); });
  relay.finish();
  return finished;
}

CommandHandle start_write(Simulation& simulation, std::uint64_t lba, const py::bytes& data, bool fua) {
  const auto bytes = std::as_bytes(std::span(std::string_view(data)));
  return interruptible([&] { return simulation.start_write(lba, {bytes.begin(), bytes.end()}, fua); });
}

void fail_next(Simulation& simulation, std::uint32_t die, const std::string& operation, std::uint32_t count) {
  static const std::map<std::string, NandOperation> operations{
      {"program", NandOperation::program}, {"erase", NandOperation::erase}, {"adjust", NandOperation::adjust_voltage}};
  const auto failing = operations.find(operation);
  if (failing == operations.end()) {
    throw RequestError("only a \"program\", an \"erase\" or an \"adjust\" can be made to fail, not \"" + operation +
                       "\"");
  }
  interruptible([&] { simulation.media()->fail_next(DieId(die), failing->second, count); });
}

// Returns the data of a read that completed with status ok; otherwise None.
py::object data_of(const HostCommand& command) {
  const bool there = command.done() && command.status() == RequestStatus::ok;
  if (!there || command.request().kind != host::RequestKind::read) return py::none();
  return py::bytes(reinterpret_cast<const char*>(command.data().data()), command.data().size());
}

// Returns the indices of the commands in the list that have ended. The list contains only objects of HostCommand.
std::vector<std::size_t> ended_of(const py::list& commands) {
  std::vector<std::size_t> ended;
  std::size_t index = 0;
  for (const py::handle command : commands) {
    if (command.cast<const HostCommand&>().done()) ended.push_back(index);
    ++index;
  }
  return ended;
}

// Returns a read-only array that shares the memory of `values` and keeps their owner alive.
template <class T>
py::array_t<T> read_only(const std::vector<T>& values, const py::object& owner) {
  py::array_t<T> array(static_cast<py::ssize_t>(values.size()), values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

// Returns the getter of a property that shows one column of a request log as a read-only array.
template <class T>
auto column(std::vector<T> RequestLog::*member) {
  return [member](const py::object& owner) { return read_only(owner.cast<const RequestLog&>().*member, owner); };
}

void bind_configuration(py::module_& m) {
  py::class_<Configuration>(m, "Configuration")
      .def("to_dict", [](const Configuration& c) { return to_object(c.resolved); })
      .def("to_yaml", [](const Configuration& c) { return to_str(c.to_yaml()); })
      .def("warnings",
           [](const Configuration& c) {
             py::list lines;
             for (const std::string& line : c.warnings()) lines.append(to_str(line));
             return lines;
           })
      .def("effective_over_provisioning", &Configuration::effective_over_provisioning)
      .def("policies",
           [](const Configuration& c) {
             py::dict policies;
             for (const auto& [path, object] : c.objects) policies[to_str(path)] = policy_in(*object);
             return policies;
           })
      .def_property_readonly("foreign_plugins",
                             [](const Configuration& c) {
                               py::dict files;
                               for (const auto& [key, file] : c.foreign_plugins) files[to_str(key)] = to_path(file);
                               return files;
                             })
      .def("require_allowed_plugins", &Configuration::require_allowed_plugins);

  py::enum_<PluginTrust>(m, "PluginTrust")
      .value("overrides", PluginTrust::overrides)
      .value("files", PluginTrust::files)
      .value("results", PluginTrust::results);
  m.def("plugin_keys", [] {
    py::list keys;
    for (const std::string_view key : plugin_keys()) keys.append(to_str(key));
    return keys;
  });
  m.def(
      "load_configuration",
      [](const std::string& name_or_path, const py::list& overrides, PluginTrust trust) {
        VariantObjects policies;
        const std::vector<Override> given = to_overrides(overrides, policies);
        return interruptible([&] { return load_configuration(name_or_path, given, policies, trust); });
      },
      "name_or_path"_a, "overrides"_a, "trust"_a);
  m.def(
      "override_configuration",
      [](const Configuration& configuration, const py::list& overrides, bool allow_plugins) {
        VariantObjects policies;
        const std::vector<Override> given = to_overrides(overrides, policies);
        return override_configuration(configuration, given, std::move(policies), allow_plugins);
      },
      "configuration"_a, "overrides"_a, "allow_plugins"_a);
  m.def(
      "resolve_configuration",
      [](const py::dict& tree, const py::list& overrides, const py::dict& foreign_plugins) {
        VariantObjects policies;
        const Value keys = to_value(tree, &policies);
        const std::vector<Override> given = to_overrides(overrides, policies);
        ForeignPlugins foreign;
        for (const auto& [key, file] : foreign_plugins) foreign.emplace(to_text(key), to_text(file));
        return interruptible([&] { return resolve_configuration(keys, given, policies, foreign); });
      },
      "tree"_a, "overrides"_a, "foreign_plugins"_a);
  m.def("list_presets", &list_presets);
  m.def(
      "set_preset_folder", [](const std::string& folder) { set_preset_folder(folder); }, "folder"_a);
  m.def("list_cell_sets", &list_cell_sets);
  m.def(
      "set_cell_set_folder", [](const std::string& folder) { set_cell_set_folder(folder); }, "folder"_a);
  m.def("list_workload_profiles", [] {
    py::list profiles;
    for (const WorkloadProfile& profile : list_workload_profiles()) {
      profiles.append(py::make_tuple(to_str(profile.kind), to_str(profile.name), to_str(profile.comment)));
    }
    return profiles;
  });
  m.def(
      "workload_profile",
      [](const std::string& kind, const std::string& name) { return to_object(workload_profile(kind, name)); },
      "kind"_a, "name"_a);
  m.def(
      "set_workload_profile_folder", [](const std::string& folder) { set_workload_profile_folder(folder); },
      "folder"_a);
  m.def("configuration_json_schema", [] { return to_object(configuration_json_schema()); });
  m.def("list_parameters", &list_parameters);
  m.def("list_incompatibilities", [] {
    py::list rows;
    for (const Incompatibility& row : incompatibilities()) {
      rows.append(py::make_tuple(py::str(row.first.key.data(), row.first.key.size()),
                                 py::str(row.first.words.data(), row.first.words.size()),
                                 py::str(row.second.key.data(), row.second.key.size()),
                                 py::str(row.second.words.data(), row.second.words.size()),
                                 py::str(std::string(row.reason) + (row.remedy == nullptr ? "" : " \u2026"))));
    }
    return rows;
  });

  py::class_<ParameterRow>(m, "ParameterRow")
      .def_readonly("path", &ParameterRow::path)
      .def_readonly("type", &ParameterRow::type)
      .def_readonly("unit", &ParameterRow::unit)
      .def_readonly("standard", &ParameterRow::standard)
      .def_readonly("range", &ParameterRow::range)
      .def_readonly("meaning", &ParameterRow::meaning)
      .def_readonly("variant", &ParameterRow::variant);
}

// Returns a dict that maps the name of each part of a latency to a read-only array with its values.
py::dict parts(const py::object& owner) {
  py::dict columns;
  const auto& log = owner.cast<const RequestLog&>();
  for (std::size_t k = 0; k < latency_parts; ++k) {
    columns[to_str(latency_part_names[k].name)] = read_only(log.parts[k], owner);
  }
  return columns;
}

void bind_requests(py::module_& m) {
  py::class_<RequestLog>(m, "RequestLog")
      .def("__len__", &RequestLog::size)
      .def_property_readonly("start", column(&RequestLog::start))
      .def_property_readonly("latency", column(&RequestLog::latency))
      .def_property_readonly("first_lba", column(&RequestLog::first_lba))
      .def_property_readonly("sectors", column(&RequestLog::sectors))
      .def_property_readonly("kind", column(&RequestLog::kind))
      .def_property_readonly("status", column(&RequestLog::status))
      .def_property_readonly("workload", column(&RequestLog::workload))
      .def_property_readonly("parts", &parts);
}

void bind_simulation(py::module_& m) {
  py::class_<HostCommand, CommandHandle>(m, "HostCommand")
      .def_property_readonly("done", &HostCommand::done)
      .def_property_readonly("status", [](const HostCommand& c) { return std::string(name_of(c.status())); })
      .def_property_readonly("latency", &HostCommand::latency)
      .def_property_readonly("data", &data_of);

  m.def("ended_of", &ended_of, "commands"_a);

  py::class_<Simulation>(m, "Simulation", py::release_gil_before_calling_cpp_dtor())
      .def(py::init([](const Configuration& configuration, const py::dict& requests) {
             const host::RequestSupplies supplies = to_supplies(requests);
             return interruptible([&] { return std::make_unique<Simulation>(configuration, supplies); });
           }),
           "configuration"_a, "requests"_a = py::dict())
      .def_property_readonly("capacity_bytes", &Simulation::capacity_bytes)
      .def_property_readonly("now", &Simulation::now)
      .def("run", &run, "progress"_a = py::none(), "until_steady"_a = false)
      .def("start_workloads", [](Simulation& s) { interruptible([&] { s.start_workloads(); }); })
      .def(
          "run_until", [](Simulation& s, Tick limit) { interruptible([&] { s.run_until(limit); }); }, "limit"_a)
      .def(
          "start_read",
          [](Simulation& s, std::uint64_t lba, std::uint64_t bytes) {
            return interruptible([&] { return s.start_read(lba, bytes); });
          },
          "lba"_a, "bytes"_a)
      .def("start_write", &start_write, "lba"_a, "data"_a, "fua"_a)
      .def(
          "start_trim",
          [](Simulation& s, std::uint64_t lba, std::uint64_t sectors) {
            return interruptible([&] { return s.start_trim(lba, sectors); });
          },
          "lba"_a, "sectors"_a)
      .def("start_flush", [](Simulation& s) { return interruptible([&] { return s.start_flush(); }); })
      .def(
          "wait", [](Simulation& s, const CommandHandle& command) { interruptible([&] { return s.wait(command); }); },
          "command"_a.none(false))
      .def("wait_all", [](Simulation& s) { interruptible([&] { s.wait_all(); }); })
      .def(
          "wait_any", [](Simulation& s, Tick limit) { interruptible([&] { s.wait_any(limit); }); }, "limit"_a = never)
      .def("identify", [](Simulation& s) { return to_object(interruptible([&] { return s.identify(); })); })
      .def("smart_log", [](Simulation& s) { return to_object(interruptible([&] { return s.smart_log(); })); })
      .def("power_states", [](Simulation& s) { return to_object(interruptible([&] { return s.power_states(); })); })
      .def("power_state", [](Simulation& s) { return interruptible([&] { return s.power_state(); }); })
      .def(
          "set_power_state",
          [](Simulation& s, std::uint32_t state) { interruptible([&] { s.set_power_state(state); }); }, "state"_a)
      .def(
          "set_power_transitions",
          [](Simulation& s, const std::vector<std::array<std::uint32_t, 3>>& transitions) {
            std::vector<Simulation::PowerTransition> given;
            given.reserve(transitions.size());
            for (const auto& [from, to, idle_ms] : transitions) given.push_back({from, to, idle_ms});
            interruptible([&] { s.set_power_transitions(given); });
          },
          "transitions"_a)
      .def("reset", [](Simulation& s) { interruptible([&] { s.reset(); }); })
      .def("power_cut", [](Simulation& s) { interruptible([&] { s.power_cut(); }); })
      .def("shut_down", [](Simulation& s) { interruptible([&] { s.shut_down(); }); })
      .def("power_on", [](Simulation& s) { interruptible([&] { s.power_on(); }); })
      .def_property_readonly("has_power", &Simulation::has_power)
      .def_property_readonly("workloads_under_way", &Simulation::workloads_under_way)
      .def(
          "advance",
          [](Simulation& s, double hours, double temperature_c, bool powered) {
            interruptible([&] { s.advance(hours, temperature_c, powered); });
          },
          "hours"_a, "temperature_c"_a, "powered"_a)
      .def("fail_next", &fail_next, "die"_a, "operation"_a, "count"_a)
      .def(
          "fail_block",
          [](Simulation& s, std::uint32_t block) { interruptible([&] { s.media()->fail_block(BlockId(block)); }); },
          "block"_a)
      .def(
          "kill_die", [](Simulation& s, std::uint32_t die) { interruptible([&] { s.media()->kill_die(DieId(die)); }); },
          "die"_a)
      .def(
          "programmed_wordlines",
          [](Simulation& s, std::uint32_t block) {
            return interruptible([&] { return s.media()->programmed_wordlines(BlockId(block)); });
          },
          "block"_a)
      .def(
          "threshold_voltages",
          [](Simulation& s, std::uint32_t block, std::uint32_t wordline) {
            return to_array(interruptible([&] { return s.media()->threshold_voltages(BlockId(block), wordline); }));
          },
          "block"_a, "wordline"_a)
      .def(
          "checkpoint", [](Simulation& s, const std::string& path) { interruptible([&] { s.checkpoint(path); }); },
          "path"_a)
      .def_static(
          "restore",
          [](const std::string& path, const py::list& overrides, const py::dict& requests, bool allow_plugins) {
            VariantObjects policies;
            const std::vector<Override> given = to_overrides(overrides, policies);
            const host::RequestSupplies supplies = to_supplies(requests);
            return interruptible([&] {
              return std::make_unique<Simulation>(Simulation::restore(path, given, policies, supplies, allow_plugins));
            });
          },
          "path"_a, "overrides"_a, "requests"_a, "allow_plugins"_a)
      .def_property_readonly("configuration", &Simulation::configuration, py::return_value_policy::copy)
      .def(
          "statistics",
          [](const Simulation& s, const std::string& window) {
            return to_object(interruptible([&] { return s.statistics(window_of(window)); }));
          },
          "window"_a)
      .def("steadiness",
           [](const Simulation& s) {
             const Steadiness said = interruptible([&] { return s.steadiness(); });
             return py::make_tuple(said.text(), said.transient());
           })
      .def("statistics_reference",
           [](const Simulation& s) { return to_object(interruptible([&] { return s.statistics_reference(); })); })
      .def("blocks", [](const Simulation& s) { return to_dict(interruptible([&] { return s.blocks(); })); })
      .def("hierarchy", [](const Simulation& s) { return to_object(interruptible([&] { return s.hierarchy(); })); })
      .def("requests", [](const Simulation& s) { return interruptible([&] { return s.requests(); }); });
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The simulator behind the package nandscape.";
  m.attr("__version__") = NANDSCAPE_VERSION;
  m.attr("FEWEST_SAMPLES") = fewest_samples;
  m.attr("BLOCK_STATES") = block_states();
  m.def(
      "poisson_interval",
      [](std::uint64_t events) {
        const PoissonInterval interval = poisson_interval(events);
        return py::make_tuple(interval.low, interval.high);
      },
      "events"_a);
  translate_errors();
  watch_the_end_of_python();
  bind_configuration(m);
  bind_requests(m);
  bind_requests_given(m);
  bind_simulation(m);
  bind_ceilings(m);
  bind_cells(m);
  bind_content(m);
  bind_ecc(m);
  bind_guest(m);
  bind_page_under_recovery(m);
  bind_read_timing(m);
  bind_retention_requirements(m);
  m.def(
      "to_json", [](const py::object& tree) { return to_str(to_json(tree)); }, "tree"_a);
}

}  // namespace nandscape::python
