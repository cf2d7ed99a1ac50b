// SPDX-License-Identifier: Apache-2.0
// The program nandscape-sim. It runs the workloads of a configuration without Python and writes the statistics as JSON.
#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "core/error.h"
#include "platform/config/replaced_file.h"
#include "platform/simulation/simulation.h"

namespace {

using namespace nandscape;

constexpr int input_error = 2;
constexpr int interrupted_status = 130;
constexpr const char* usage =
    "usage: nandscape-sim CONFIG [--set KEY=VALUE]... [--trace FILE] [--json FILE] [--allow-plugins]\n"
    "  CONFIG        a preset or a YAML file\n"
    "  --set         override a key, for example nand.timing.t_prog_us=650\n"
    "  --trace FILE  replay a trace instead of host.workload\n"
    "  --json FILE   write configuration and statistics to FILE instead of standard output\n"
    "  --allow-plugins  load the libraries that a saved result names: their code runs with your rights\n";

volatile std::sig_atomic_t interrupted = 0;

struct Options {
  std::string configuration;
  std::vector<Override> overrides;
  std::string json;
  PluginTrust trust = PluginTrust::files;
};

Options parse(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    const auto value = [&]() -> const std::string& {
      if (k + 1 == arguments.size()) throw Error(argument + " needs a value\n" + usage);
      return arguments[++k];
    };
    if (argument == "--set") {
      options.overrides.push_back(parse_override(value()));
    } else if (argument == "--trace") {
      Value workload = Value::map();
      workload["kind"] = "trace";
      workload["path"] = value();
      workload.source = {"--trace", 0};
      options.overrides.emplace_back("host.workload", Value(Value::List{workload}));
    } else if (argument == "--json") {
      options.json = value();
    } else if (argument == "--allow-plugins") {
      options.trust = PluginTrust::results;
    } else if (options.configuration.empty() && argument.rfind("--", 0) != 0) {
      options.configuration = argument;
    } else {
      throw Error("what is '" + argument + "'?\n" + usage);
    }
  }
  if (options.configuration.empty()) throw Error(usage);
  return options;
}

int run(const Options& options) {
  Simulation simulation(load_configuration(options.configuration, options.overrides, {}, options.trust));
  for (const std::string& warning : simulation.configuration().warnings()) {
    std::cerr << "nandscape-sim: warning: " << warning << '\n';
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });
  if (!simulation.run([](const Progress&) { return interrupted == 0; })) {
    std::cerr << "nandscape-sim: interrupted\n";
    return interrupted_status;
  }
  Value document = Value::map();
  document["configuration"] = simulation.configuration().resolved;
  document["statistics"] = simulation.statistics();
  const std::string text = document.to_json() + "\n";
  if (options.json.empty()) {
    std::cout << text << std::flush;
  } else {
    ReplacedFile file(options.json);
    file.write(text.data(), text.size());
    file.keep();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse({argv + 1, argv + argc}));
  } catch (const Error& error) {
    std::cerr << "nandscape-sim: " << error.what() << '\n';
    return input_error;
  } catch (const std::exception& error) {
    std::cerr << "nandscape-sim: internal error: " << error.what() << '\n';
    return 1;
  }
}
