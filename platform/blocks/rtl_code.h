// SPDX-License-Identifier: Apache-2.0
// The code that the SystemVerilog designs of the ECC engine implement (`simulation.blocks.ecc_engine.kind: rtl`).
#pragma once

#include <cstdint>

namespace nandscape {

inline constexpr std::uint32_t rtl_payload_bytes = 1024;
inline constexpr std::uint32_t rtl_correctable_bits = 72;
inline constexpr std::uint32_t rtl_parity_bytes = 126;

}  // namespace nandscape
