// SPDX-License-Identifier: Apache-2.0
// A fake cell array that returns results set by the test and records all calls.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "nand/cell_array.h"

namespace nandscape::nand {

struct FakeCells final : CellArray {
  struct Adjustment {
    WordlineAddress where;
    const Coding* from;
    Coding merged;
  };

  bool factory_bad(BlockInDie block) const override { return bad_blocks.contains(block); }
  double program_time_factor(double step_mv) const override { return default_step_mv / step_mv; }
  bool program(const ProgramOrder& order, Tick now) override {
    programs.push_back(order);
    times.push_back(now);
    return succeed;
  }
  bool erase(BlockInDie block, Tick now) override {
    erases.push_back(block);
    times.push_back(now);
    return succeed;
  }
  bool adjust(const AdjustOrder& order, Tick now) override {
    adjustments.push_back({order.where, order.from, order.merging->coding});
    times.push_back(now);
    return succeed;
  }
  SenseResult sense(const SenseOrder& order, Tick now) override {
    senses.push_back(order);
    times.push_back(now);
    return result;
  }

  std::vector<float> threshold_voltages(const SenseOrder& order, Tick) override {
    looks.push_back(order);
    return voltages;
  }

  void lose_latched_pages(WordlineAddress where) override { lost.push_back(where); }
  void advance(double hours, double temperature_c) override { advances.emplace_back(hours, temperature_c); }
  void persist(Archive&, Tick) override {}

  std::set<BlockInDie> bad_blocks;
  double default_step_mv = 200;
  bool succeed = true;
  SenseResult result{30, 9};
  std::vector<float> voltages;

  std::vector<ProgramOrder> programs;
  std::vector<BlockInDie> erases;
  std::vector<Adjustment> adjustments;
  std::vector<SenseOrder> senses;
  std::vector<SenseOrder> looks;
  std::vector<WordlineAddress> lost;
  std::vector<std::pair<double, double>> advances;
  std::vector<Tick> times;  // time of each call
};

}  // namespace nandscape::nand
