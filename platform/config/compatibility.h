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

  // Returns the value of a key. The key may belong to only one variant. The value is null if the configured drive does
  // not have the key.
  Value value(std::string_view key) const;

 private:
  mutable Value written_;  // all keys with their values; null until value() is called for the first time
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
    checked,  // when a configuration is read, and again before a drive is built
    // At the same times, but only if no error was found before, since the comparison uses cells and capacities.
    computed,
    traffic,  // only when a configuration is read, since a drive is built without the traffic of its host
    built,    // when the block that the second key chooses is built; a drive of another kind may not have this block
  };

  Condition first;  // its key is the key at which the error is reported
  Condition second;
  std::string_view reason;  // why the settings exclude each other, and which values would be right
  // Returns the right value if this value depends on other keys. The returned text follows `reason` in the message.
  std::string (*remedy)(const Settings&) = nullptr;
  When when = When::checked;
};

// Returns the whole table.
std::span<const Incompatibility> incompatibilities();

// Returns whether both conditions of the row hold.
[[nodiscard]] bool contradicts(const Incompatibility& row, const Settings& settings);
// Returns the error of a row whose conditions both hold. The message contains both keys with their values, and the
// reason.
[[nodiscard]] ConfigError contradiction(const Incompatibility& row, const Settings& settings);

// Throws ConfigError for the first row with When::built that contradicts `parameters`. Call it before simulation blocks
// are built.
void check_blocks(const PlatformParameters& parameters);

}  // namespace nandscape
