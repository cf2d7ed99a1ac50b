// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/uber.h"

#include <cmath>

#include "catch.h"

namespace nandscape::ecc {
namespace {

TEST_CASE("BCH of 24 bits per 1080 bytes tolerates 4.5e-4 at an UBER of 1e-16") {
  CHECK(tolerable_rber(bch_24_per_1080_bytes, 1e-16) == Approx(4.5e-4).epsilon(0.002));
  CHECK(log_uber(bch_24_per_1080_bytes, 4.5e-4) == Approx(std::log(1e-16)).epsilon(0.001));
}

TEST_CASE("equation 1 in closed form, and far below the range of a double") {
  // The code corrects one error in three bits. It fails with two or three errors, with a probability of 3 p^2 (1-p) +
  // p^3.
  const BlockCode repetition = {3, 1, 1};
  for (const double p : {1e-9, 0.01, 0.3, 0.9}) {
    CAPTURE(p);
    CHECK(log_uber(repetition, p) == Approx(std::log(p * p * (3 - 2 * p))).epsilon(1e-12));
  }
  CHECK(log_uber({1 << 14, 1 << 14, 200}, 1e-9) < std::log(1e-300));
  // At this RBER, all codewords fail, each with one bit counted as uncorrectable.
  CHECK(log_uber(bch_24_per_1080_bytes, 0.1) == Approx(-std::log(bch_24_per_1080_bytes.user_bits)).epsilon(1e-9));
}

}  // namespace
}  // namespace nandscape::ecc
