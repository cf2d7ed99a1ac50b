// SPDX-License-Identifier: Apache-2.0
// Compares the statistics of short runs with stored statistics. README.md explains how to renew the stored files.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "platform/simulation/simulation.h"

namespace nandscape {
namespace {

namespace fs = std::filesystem;

// Statistics of the simulator itself, not of the drive, which may change without a change of results.
const std::vector<std::string> left_out = {"simulation.wall_s", "simulation.events"};

std::vector<fs::path> scenarios() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator("tests/golden")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Value without(const Value& tree, const std::string& path = "") {
  Value kept = Value::map();
  for (const auto& [name, value] : *tree.map_items()) {
    const std::string inner = path.empty() ? name : path + "." + name;
    if (std::find(left_out.begin(), left_out.end(), inner) != left_out.end()) continue;
    kept[name] = value.map_items() != nullptr ? without(value, inner) : value;
  }
  return kept;
}

using Metrics = std::map<std::string, Value>;

void flatten(const Value& tree, const std::string& path, Metrics& metrics) {
  for (const auto& [name, value] : *tree.map_items()) {
    const std::string inner = path.empty() ? name : path + "." + name;
    if (value.map_items() != nullptr) {
      flatten(value, inner, metrics);
    } else {
      metrics[inner] = value;
    }
  }
}

// Returns the statistic as a number. A statistic without a value is null in the file, and is returned as NaN.
double figure(const Value& value) { return value.is_null() ? std::nan("") : value.number(); }

// Returns the figure with six significant digits, as reports print it.
std::string printed(const Value& value) {
  if (std::isnan(figure(value))) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", figure(value));
  return text;
}

// Returns a figure as a string. Counts have all of their digits.
std::string shown(const Value& value) { return value.integer() != nullptr ? value.to_json() : printed(value); }

bool agree(const Value& golden, const Value& now) {
  if (golden.integer() != nullptr && now.integer() != nullptr) return golden == now;
  return printed(golden) == printed(now);
}

// Returns one line for each statistic that differs, or an empty string if none differs.
std::string differences(const Value& golden_tree, const Value& now_tree) {
  Metrics golden, now;
  flatten(golden_tree, "", golden);
  flatten(now_tree, "", now);
  std::string lines;
  for (const auto& [name, value] : golden) {
    const auto found = now.find(name);
    if (found == now.end()) {
      lines += name + ": golden " + shown(value) + ", now gone\n";
    } else if (!agree(value, found->second)) {
      lines += name + ": golden " + shown(value) + ", now " + shown(found->second);
      const double change = 100 * (figure(found->second) / figure(value) - 1);
      if (std::isfinite(change)) lines += " (" + std::to_string(change) + " %)";
      lines += "\n";
    }
  }
  for (const auto& [name, value] : now) {
    if (golden.count(name) == 0) lines += name + ": new, " + shown(value) + "\n";
  }
  return lines;
}

TEST_CASE("golden runs reproduce their statistics") {
  fs::current_path(NANDSCAPE_SOURCE_FOLDER);  // paths of traces are relative to the source folder
  const std::vector<fs::path> files = scenarios();
  REQUIRE(files.size() >= 4);
  for (const fs::path& file : files) {
    DYNAMIC_SECTION(file.stem().string()) {
      Simulation simulation(load_configuration(file.string()));
      REQUIRE(simulation.run());
      const Value now = without(simulation.statistics());
      const fs::path golden = fs::path(file).replace_extension(".json");
      if (std::getenv("NANDSCAPE_WRITE_GOLDEN") != nullptr) {
        std::ofstream out(golden);
        out << now.to_json() << '\n' << std::flush;
        REQUIRE(out);
        continue;
      }
      INFO("If the change is intended, renew the golden runs as tests/golden/README.md says.");
      CHECK(differences(read_yaml_file(golden), now) == "");
    }
  }
}

TEST_CASE("a metric that differs is named with both values") {
  const auto tree = [](const char* text) { return read_yaml(text, {"text", 1}); };
  const Value golden = tree("{a: {count: 200, us: 1.5, zero: 0}, gone: 1}");
  CHECK(differences(golden, golden) == "");
  Value known, not_known;
  known["p99"] = 2.5;
  not_known["p99"] = std::nan("");
  CHECK(differences(tree("{p99: null}"), not_known) == "");
  CHECK(differences(tree("{p99: null}"), known) == "p99: golden null, now 2.5\n");
  CHECK(differences(known, not_known) == "p99: golden 2.5, now null\n");
  CHECK(differences(golden, tree("{a: {count: 200, us: 1.500004, zero: 0}, gone: 1}")) == "");
  CHECK(differences(golden, tree("{a: {count: 201, us: 1.500006, zero: 0.25}, extra: 2}")) ==
        "a.count: golden 200, now 201 (0.500000 %)\n"
        "a.us: golden 1.5, now 1.50001 (0.000400 %)\n"
        "a.zero: golden 0, now 0.25\n"
        "gone: golden 1, now gone\n"
        "extra: new, 2\n");
}

}  // namespace
}  // namespace nandscape
