// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/energy_account.h"

namespace nandscape {

double EnergyAccount::total() const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.joules;
  return sum;
}

void describe(const EnergyAccount& account, StatisticsVisitor& v) {
  for (const EnergyAccount::Part& part : account.parts_) v.amount(part.name, part.joules, "j", part.meaning);
  v.amount("total_j", account.total(), "j", "sum of all parts");
}

}  // namespace nandscape
