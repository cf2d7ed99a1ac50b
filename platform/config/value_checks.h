// SPDX-License-Identifier: Apache-2.0
// Checks of values against their parameters. Each check stores a valid value. For an invalid value, it describes the
// fault and the valid values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// The description of an invalid value, or nothing if the value is valid.
using Fault = std::optional<std::string>;

[[nodiscard]] Fault check_boolean(const Value& given, const SchemaNode& node, bool& value);
// Accepts a real number without a fraction, such as 4.0 or 1e6, as an integer.
[[nodiscard]] Fault check_integer(const Value& given, const SchemaNode& node, std::int64_t& value);
[[nodiscard]] Fault check_real(const Value& given, const SchemaNode& node, double& value);
[[nodiscard]] Fault check_text(const Value& given, const SchemaNode& node, std::string& value);
[[nodiscard]] Fault check_choice(const Value& given, const SchemaNode& node, std::string& value);

// Describes a value for messages, for example as "'abc'", "2.5", "a list" or "nothing".
std::string describe_value(const Value& value);

}  // namespace nandscape
