// SPDX-License-Identifier: Apache-2.0
#include "nand/self_heated.h"

#include <algorithm>
#include <cmath>

#include "nand/cells/retention.h"

namespace nandscape::nand {

void describe(ThermalParameters& p, ParameterVisitor& v) {
  constexpr RealRange resistance = {1e-3, 1e6};
  constexpr RealRange capacity = {1e-9, 1e6};
  v.real("ambient_c", p.ambient_c, {-40, 125}, "c", "temperature of the air, and of the drive when it begins");
  v.real("case_k_per_w", p.case_k_per_w, resistance, "k_per_w", "thermal resistance from the case to the air");
  v.real("case_j_per_k", p.case_j_per_k, capacity, "j_per_k", "heat capacity of case, board and controller");
  v.real("packages_k_per_w", p.packages_k_per_w, resistance, "k_per_w",
         "thermal resistance from the dies of all packages together to the case");
  v.real("packages_j_per_k", p.packages_j_per_k, capacity, "j_per_k", "heat capacity of all packages together");
}

SelfHeated::SelfHeated(const ThermalParameters& p, const NandParameters& nand)
    : ambient_c_(p.ambient_c),
      retention_(nand.cells.retention),
      configured_rate_(arrhenius_factor(retention_, nand.condition.temperature_c)),
      network_(p),
      rate_(rate()),
      told_c_(p.ambient_c) {}

double SelfHeated::rate() const {
  return arrhenius_factor(retention_, network_.temperatures().packages_c) / configured_rate_;
}

Tick SelfHeated::aged(Tick now) const {
  constexpr double most = 0x1.fffffffffffffp63;
  const double since = now > since_ ? static_cast<double>(now - since_) : 0;
  return static_cast<Tick>(std::min(most, aged_ + since * rate_));
}

void SelfHeated::take_heat(const Heat& heat, Tick now) {
  if (now <= since_) return;
  const double seconds = s_from_ticks(now - since_);
  network_.step(heat.packages_j / seconds, heat.rest_j / seconds, seconds);
  aged_ += static_cast<double>(now - since_) * rate_;
  since_ = now;
  rate_ = rate();
  if (std::abs(celsius(now) - told_c_) < 1) return;
  told_c_ = celsius(now);
  look(now);
}

void SelfHeated::cool(double hours) {
  network_.step(0, 0, 3600 * hours);
  rate_ = rate();
}

void SelfHeated::persist_counters(Archive& archive) {
  ThermalNetwork::Temperatures now = network_.temperatures();
  archive.section("self-heated drive");
  archive.real(now.case_c, -273.15, 1e6, "the temperature of the case");
  archive.real(now.packages_c, -273.15, 1e6, "the temperature of the flash");
  archive.real(aged_, 0, 0x1p64, "the age of the flash");
  archive(since_, told_c_);
  network_.set(now);
  rate_ = rate();
}

}  // namespace nandscape::nand
