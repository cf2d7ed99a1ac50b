// SPDX-License-Identifier: Apache-2.0
// The table of settings that exclude each other. Each row names two keys, their incompatible values, and the reason.
//
// Three other kinds of checks are elsewhere. The schema checks the range of each key. A block checks its own keys,
// since it also runs without a configuration. Limits that follow from the whole drive, such as the capacity that is
// left for data, are checked where they are computed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/value.h"
#include "platform/config/parameters.h"

namespace nandscape {

// The parameters that are checked against the table.
class Settings {
 public:
  explicit Settings(const PlatformParameters& parameters) : p(parameters) {}

  const PlatformParameters& p;

  // The value of a key, also of a key that only one variant has; null if the drive has no such key.
  Value value(std::string_view key) const;

 private:
  mutable Value written_;  // all keys; null until value() is first called
};

struct Condition {
  std::string_view key;    // "controller.parity.stripe_dies"
  std::string_view words;  // "is not 0", for the documentation
  bool (*holds)(const Settings&);
};

// Two conditions that must not hold at the same time.
struct Incompatibility {
  // When the conditions are compared.
  enum class When : std::uint8_t {
    checked,   // when a configuration is read, and before a drive is built
    computed,  // as `checked`, but only without other errors, since the comparison uses cells and capacities
    traffic,   // when a configuration is read; a drive is built without its host's traffic
    built,     // when the block that the second key chooses is built; a drive of another kind may not have it
  };

  Condition first;  // the key at which the contradiction is reported
  Condition second;
  std::string_view reason;  // why, and which values would be right
  // The right value if it depends on other keys; the text follows `reason`.
  std::string (*remedy)(const Settings&) = nullptr;
  When when = When::checked;
};

// The whole table.
std::span<const Incompatibility> incompatibilities();

// Whether both conditions hold.
[[nodiscard]] bool contradicts(const Incompatibility& row, const Settings& settings);
// The error of a row whose conditions hold: both keys with their values, and the reason.
[[nodiscard]] ConfigError contradiction(const Incompatibility& row, const Settings& settings);

// Call before simulation blocks are built. Throws ConfigError for the first row with When::built that contradicts
// `parameters`.
void check_blocks(const PlatformParameters& parameters);

}  // namespace nandscape
