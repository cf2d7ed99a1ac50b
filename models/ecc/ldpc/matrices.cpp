// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ecc/ldpc/base_matrix.h"

namespace nandscape::ecc::ldpc {

namespace {

constexpr Block payload_4096_parity_640[] = {
#include "ecc/ldpc/matrices/payload_4096_parity_640.inc"
};
constexpr Block payload_4096_parity_576[] = {
#include "ecc/ldpc/matrices/payload_4096_parity_576.inc"
};
constexpr Block payload_4096_parity_544[] = {
#include "ecc/ldpc/matrices/payload_4096_parity_544.inc"
};
constexpr Block payload_4160_parity_512[] = {
#include "ecc/ldpc/matrices/payload_4160_parity_512.inc"
};
constexpr Block payload_4096_parity_480[] = {
#include "ecc/ldpc/matrices/payload_4096_parity_480.inc"
};
constexpr Block payload_4096_parity_448[] = {
#include "ecc/ldpc/matrices/payload_4096_parity_448.inc"
};
constexpr Block payload_4096_parity_384[] = {
#include "ecc/ldpc/matrices/payload_4096_parity_384.inc"
};
constexpr Block payload_4096_parity_256[] = {
#include "ecc/ldpc/matrices/payload_4096_parity_256.inc"
};
constexpr Block payload_2048_parity_256[] = {
#include "ecc/ldpc/matrices/payload_2048_parity_256.inc"
};
constexpr Block payload_2048_parity_128[] = {
#include "ecc/ldpc/matrices/payload_2048_parity_128.inc"
};

}  // namespace

std::span<const BaseMatrix> base_matrices() {
  static constexpr std::array<BaseMatrix, 10> matrices = {{
      {128, 20, 256, payload_4096_parity_640},
      {128, 18, 256, payload_4096_parity_576},
      {128, 17, 256, payload_4096_parity_544},
      {130, 16, 256, payload_4160_parity_512},
      {128, 15, 256, payload_4096_parity_480},
      {128, 14, 256, payload_4096_parity_448},
      {128, 12, 256, payload_4096_parity_384},
      {128, 8, 256, payload_4096_parity_256},
      {64, 8, 256, payload_2048_parity_256},
      {128, 8, 128, payload_2048_parity_128},
  }};
  return matrices;
}

}  // namespace nandscape::ecc::ldpc
