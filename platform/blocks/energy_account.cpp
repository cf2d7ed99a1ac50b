// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/energy_account.h"

#include <algorithm>

namespace nandscape {

double EnergyAccount::total() const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.joules;
  return sum;
}

double EnergyAccount::joules(std::string_view name) const {
  const auto part = std::ranges::find(parts_, name, &Part::name);
  return part == parts_.end() ? 0 : part->joules;
}

void describe(const EnergyAccount& account, StatisticsVisitor& v) {
  for (const EnergyAccount::Part& part : account.parts_) v.amount(part.name, part.joules, "j", part.meaning);
  v.amount("total_j", account.total(), "j", "sum of all parts");
}

}  // namespace nandscape
