// SPDX-License-Identifier: Apache-2.0
// A backlog of host writes in a drive: dirty data in a cache, or blocks that garbage collection has not emptied yet.
// While a stock grows, the host writes faster than the drive can sustain.
#pragma once

#include <string>
#include <vector>

namespace nandscape {

struct Stock {
  std::string name;        // "write cache"
  double bytes = 0;        // current bytes
  double capacity = 0;     // maximum bytes
  double fluctuation = 0;  // amount in bytes by which the stock varies in steady state
};
using Stocks = std::vector<Stock>;

}  // namespace nandscape
