// SPDX-License-Identifier: Apache-2.0
// Tests the thermal model against its closed forms and against a numerical integration of its equations.
#include "nand/thermal_network.h"

#include <cmath>
#include <utility>

#include "catch.h"

namespace nandscape::nand {
namespace {

const ThermalParameters drive{
    .ambient_c = 30, .case_k_per_w = 8, .case_j_per_k = 5, .packages_k_per_w = 3, .packages_j_per_k = 2};

TEST_CASE("with constant powers, temperatures approach ambient + R x P") {
  ThermalNetwork network(drive);
  network.step(2, 1.5, 1e6);
  CHECK(network.temperatures().case_c == Approx(30 + 8 * 3.5).epsilon(1e-12));
  CHECK(network.temperatures().packages_c == Approx(30 + 8 * 3.5 + 3 * 2).epsilon(1e-12));
  network.step(0, 0, 1e6);
  CHECK(network.temperatures().case_c == Approx(30).epsilon(1e-12));
  CHECK(network.temperatures().packages_c == Approx(30).epsilon(1e-12));
}

TEST_CASE("a step may be divided in any way") {
  ThermalNetwork whole(drive), divided(drive);
  whole.step(2, 1.5, 30);
  for (const double seconds : {0.0, 1e-9, 0.3, 9.7, 20.0 - 1e-9}) divided.step(2, 1.5, seconds);
  CHECK(divided.temperatures().case_c == Approx(whole.temperatures().case_c).epsilon(1e-12));
  CHECK(divided.temperatures().packages_c == Approx(whole.temperatures().packages_c).epsilon(1e-12));
}

// Packages of next to no capacity follow the case at once, which then warms as a single lump.
TEST_CASE("without a heat capacity of the packages, the case warms exponentially") {
  ThermalParameters p = drive;
  p.packages_j_per_k = 1e-9;
  ThermalNetwork network(p);
  for (int second = 1; second <= 100; ++second) {
    network.step(2, 1.5, 1);
    const double rise = 8 * 3.5 * (1 - std::exp(-second / (8.0 * 5)));
    REQUIRE(network.temperatures().case_c == Approx(30 + rise).epsilon(1e-8));
    REQUIRE(network.temperatures().packages_c == Approx(30 + rise + 3 * 2).epsilon(1e-8));
  }
}

// Integrates the differential equations by the midpoint rule, whose error decreases with the square of the step.
TEST_CASE("a step agrees with the differential equations") {
  ThermalNetwork network(drive);
  network.set({40, 70});
  double case_c = 40, packages_c = 70;
  const auto rates = [](double c, double p) {
    const double flow = (p - c) / 3;
    return std::pair((1.5 + flow - (c - 30) / 8) / 5, (2 - flow) / 2);
  };
  constexpr double dt = 1e-3;
  for (int k = 0; k < 12'000; ++k) {
    const auto [c1, p1] = rates(case_c, packages_c);
    const auto [c2, p2] = rates(case_c + dt / 2 * c1, packages_c + dt / 2 * p1);
    case_c += dt * c2;
    packages_c += dt * p2;
  }
  network.step(2, 1.5, 12);
  CHECK(network.temperatures().case_c == Approx(case_c).epsilon(1e-7));
  CHECK(network.temperatures().packages_c == Approx(packages_c).epsilon(1e-7));
}

TEST_CASE("the heat that leaves a drive is the heat that it has made") {
  ThermalNetwork network(drive);
  double left_j = 0;
  constexpr double dt = 1e-3;
  for (int k = 0; k < 20'000; ++k) {
    const double before = network.temperatures().case_c;
    network.step(2, 1.5, dt);
    left_j += dt * ((before + network.temperatures().case_c) / 2 - 30) / 8;
  }
  const double stored_j = 5 * (network.temperatures().case_c - 30) + 2 * (network.temperatures().packages_c - 30);
  CHECK(left_j + stored_j == Approx(20 * 3.5).epsilon(1e-7));
}

}  // namespace
}  // namespace nandscape::nand
