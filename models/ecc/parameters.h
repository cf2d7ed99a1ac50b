// SPDX-License-Identifier: Apache-2.0
// Configuration group `ecc`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape {

enum class Decoder { threshold };

struct EccParameters {
  Decoder decoder = Decoder::threshold;
  std::uint32_t codeword_bytes = 1024;
  std::uint32_t correctable_bits = 72;
  double t_decode_us = 20;
  double decode_mb_s = 2000;
  double t_encode_us = 0;
  double encode_mb_s = 2000;
};

// Throws ConfigError when a page is no whole number of codewords.
void check(const EccParameters& parameters, std::uint32_t page_bytes);
void describe(EccParameters& p, ParameterVisitor& v);

}  // namespace nandscape
