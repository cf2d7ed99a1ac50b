// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/steadiness.h"

#include <cmath>
#include <cstdio>

namespace nandscape {

namespace {

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string percent(double share) { return formatted("%.0f %%", 100 * std::abs(share)); }

}  // namespace

bool Steadiness::steady() const {
  return !warming && drifting.empty() && unknown.empty() && spread && spread->range <= range_limit &&
         std::abs(spread->slope) <= slope_limit;
}

bool Steadiness::transient() const {
  if (warming || !drifting.empty()) return true;
  return !rate_is_given && spread && spread->range > range_limit && std::abs(spread->slope) > slope_limit;
}

std::string Steadiness::text() const {
  std::string said;
  const auto add = [&said](const std::string& clause) { said += (said.empty() ? "" : "; ") + clause; };
  if (warming) add("the workloads ended before the warm-up (simulation.warmup) did");
  for (const StockChange& change : drifting) {
    const std::string& name = change.stock.name;
    const double left = 1 - change.stock.bytes / change.stock.capacity;
    if (change.bytes < 0) {
      add("the " + name + " gives back " + percent(change.share) + " as much as the host writes");
    } else {
      add("the " + name + " takes in " + percent(change.share) + " of what the host writes, and " +
          (left > 0 ? percent(left) : "none") + " of its room is left");
    }
  }
  if (spread && std::abs(spread->slope) > slope_limit) {
    add(figure + (spread->slope < 0 ? " falls by " : " rises by ") + percent(spread->slope) +
        " over the last five rounds");
  } else if (spread && spread->range > range_limit) {
    add(figure + " varies by " + percent(spread->range) + " over the last five rounds");
  } else if (said.empty() && !spread) {
    return formatted("%.0f requests are too few to tell whether it is steady", static_cast<double>(requests));
  }
  if (said.empty() && !unknown.empty()) {
    return formatted("%.2g drive writes are too few to tell whether the ", drive_writes) + unknown.front() +
           " takes in what the host writes";
  }
  if (said.empty()) return "steady since " + formatted("%.3g s", since_s.value_or(0));
  if (drive_writes > 0) add(formatted("%.2g drive writes", drive_writes));
  return "not steady: " + said;
}

}  // namespace nandscape
