// SPDX-License-Identifier: Apache-2.0
// What a drive holds back of what the host has written: dirty data in a cache, blocks that no collection has emptied
// yet. While a stock grows, the host writes faster than the drive can in the long run.
#pragma once

#include <string>
#include <vector>

namespace nandscape {

struct Stock {
  std::string name;        // "write cache"
  double bytes = 0;        // it holds now
  double capacity = 0;     // bytes it can hold
  double fluctuation = 0;  // bytes by which it goes up and down in a steady state
};
using Stocks = std::vector<Stock>;

}  // namespace nandscape
