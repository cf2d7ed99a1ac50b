// SPDX-License-Identifier: Apache-2.0
#include "platform/config/compatibility.h"

#include <algorithm>

#include "core/message_text.h"
#include "platform/config/incompatibility_rows.h"
#include "platform/config/parameter_writer.h"

namespace nandscape {

namespace {

// Returns the current state of a condition's key in words. A single value is shown, as in "is 'none'". For a group or a
// list, returns the words of the condition.
std::string state_of(const Condition& condition, const Settings& settings) {
  const Value value = settings.value(condition.key);
  const bool single = !value.is_null() && value.map_items() == nullptr && value.list_items() == nullptr;
  return single ? "is " + describe_value(value) : std::string(condition.words);
}

}  // namespace

Value Settings::value(std::string_view key) const {
  if (written_.is_null()) {
    PlatformParameters copy = p;
    written_ = write_parameters(copy);
  }
  const Value* value = &written_;
  for (std::size_t begin = 0; begin <= key.size() && value != nullptr;) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    value = value->find(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return value == nullptr ? Value() : *value;
}

std::span<const Incompatibility> incompatibilities() {
  static const Rows rows = [] {
    Rows all;
    add_layout(all);
    add_codes(all);
    add_slc_cache(all);
    add_two_passes(all);
    add_fullpages(all);
    add_units(all);
    add_plane_reads(all);
    add_electrical(all);
    add_refresh(all);
    add_state_mapping(all);
    add_write_modes(all);
    add_simulation(all);
    add_rtl_engine(all);
    add_pins(all);
    return all;
  }();
  return rows;
}

bool contradicts(const Incompatibility& row, const Settings& settings) {
  // Tests the second condition first, which is the kind of the block, since the first condition of such a row may be
  // costly.
  if (row.when == When::built && !row.second.holds(settings)) return false;
  return row.first.holds(settings) && row.second.holds(settings);
}

ConfigError contradiction(const Incompatibility& row, const Settings& settings) {
  std::string what = state_of(row.first, settings) + ", but " + std::string(row.second.key) + " " +
                     state_of(row.second, settings) + ": " + std::string(row.reason);
  if (row.remedy != nullptr) what += " " + row.remedy(settings);
  return {{}, std::string(row.first.key), what};
}

void check_blocks(const PlatformParameters& parameters) {
  const Settings settings(parameters);
  for (const Incompatibility& row : incompatibilities()) {
    if (row.when == When::built && contradicts(row, settings)) throw contradiction(row, settings);
  }
}

}  // namespace nandscape
