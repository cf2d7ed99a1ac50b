// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_timing_table.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace nandscape::controller {

namespace {

using Entry = ReadTimingTable::Entry;

std::string condition(double pe_cycles, double retention_months) {
  std::ostringstream text;
  text << pe_cycles << " P/E cycles and " << retention_months << " months";
  return text.str();
}

void check(const Entry& entry) {
  const auto counts = [](double number) { return std::isfinite(number) && number >= 0; };
  if (counts(entry.pe_cycles) && counts(entry.retention_months)) return;
  throw std::invalid_argument("P/E cycles and months must be finite and at least 0, unlike " +
                              condition(entry.pe_cycles, entry.retention_months));
}

// Returns the distinct values of the given member of the entries, in ascending order.
std::vector<double> values(const std::vector<Entry>& entries, double Entry::*member) {
  std::set<double> different;
  for (const Entry& entry : entries) different.insert(entry.*member);
  return {different.begin(), different.end()};
}

}  // namespace

ReadTimingTable::ReadTimingTable(std::vector<Entry> entries) : entries_(std::move(entries)) {
  if (entries_.empty()) throw std::invalid_argument("a read timing table needs at least one entry");
  std::ranges::for_each(entries_, check);
  std::ranges::sort(entries_, {}, [](const Entry& e) { return std::tuple(e.pe_cycles, e.retention_months); });
  pe_cycles_ = values(entries_, &Entry::pe_cycles);
  retention_months_ = values(entries_, &Entry::retention_months);

  // The entries are sorted, so the first entry that differs from the full grid shows that an entry is missing or
  // duplicate.
  std::size_t next = 0;
  for (const double cycles : pe_cycles_) {
    for (const double months : retention_months_) {
      const auto here = [&](std::size_t index) {
        return index < entries_.size() && entries_[index].pe_cycles == cycles &&
               entries_[index].retention_months == months;
      };
      if (!here(next)) throw std::invalid_argument("there is no entry for " + condition(cycles, months));
      if (here(next + 1)) throw std::invalid_argument("there are two entries for " + condition(cycles, months));
      ++next;
    }
  }
}

std::uint8_t ReadTimingTable::precharge_reduction(double pe_cycles, double retention_months) const {
  const auto row = std::ranges::lower_bound(pe_cycles_, pe_cycles);
  const auto column = std::ranges::lower_bound(retention_months_, retention_months);
  if (row == pe_cycles_.end() || column == retention_months_.end()) return 0;
  const auto index = std::distance(pe_cycles_.begin(), row) * std::ssize(retention_months_) +
                     std::distance(retention_months_.begin(), column);
  return entries_[static_cast<std::size_t>(index)].precharge_reduction;
}

}  // namespace nandscape::controller
