// SPDX-License-Identifier: Apache-2.0
// A thermal model of a drive with two lumps. The packages of the flash, all together, heat the case, which stands for
// the board, the controller and a heat sink. The case heats the air:
//
//   P_packages -> [packages, C_p] --R_p--> [case, C_c] --R_c--> air at the ambient temperature
//                                P_rest -----^
//
//   C_p dT_p/dt = P_packages - (T_p - T_c) / R_p
//   C_c dT_c/dt = P_rest + (T_p - T_c) / R_p - (T_c - T_air) / R_c
//
// In a steady state, T_c = T_air + R_c (P_packages + P_rest) and T_p = T_c + R_p P_packages. While the powers are
// constant, the deviations x from the steady state follow x(t) = exp(A t) x(0), which is computed in closed form, so a
// step may be of any length.
#pragma once

namespace nandscape::nand {

struct ThermalParameters {
  // Orders of magnitude for a drive of the form factor M.2 2280. Both sides of the board have 35 cm2. Moving air takes
  // 25 W/m2K from them [Çengel 2003, the low end of forced convection in gases], which is 1 / (25 x 0.0035) = 11
  // K/W. Ten grams of board and epoxy with about 1 J/gK make 10 J/K, of which four packages of 1.2 g have about 4 J/K.
  // A package of 15 K/W from its dies to the board is assumed, so four have 4 K/W.
  double ambient_c = 25;
  double case_k_per_w = 11;
  double case_j_per_k = 6;
  double packages_k_per_w = 4;
  double packages_j_per_k = 4;
};

class ThermalNetwork {
 public:
  struct Temperatures {
    double case_c;
    double packages_c;
  };

  // All parts begin at the ambient temperature.
  explicit ThermalNetwork(const ThermalParameters& parameters);

  const Temperatures& temperatures() const { return now_; }
  void set(const Temperatures& temperatures) { now_ = temperatures; }
  // Returns the temperatures that the parts approach with these powers.
  Temperatures steady(double packages_w, double rest_w) const;
  // Advances by `seconds` with constant powers.
  void step(double packages_w, double rest_w, double seconds);

 private:
  const ThermalParameters parameters_;
  // The matrix A of the deviations (case, packages), in 1/s, and its eigenvalues, which are negative and distinct.
  double case_case_;
  double case_packages_;
  double packages_case_;
  double packages_packages_;
  double slow_;
  double fast_;
  Temperatures now_;
};

}  // namespace nandscape::nand
