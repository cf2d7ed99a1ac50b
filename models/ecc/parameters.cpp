// SPDX-License-Identifier: Apache-2.0
#include "ecc/parameters.h"

#include <string>

#include "core/error.h"

namespace nandscape {

void describe(EccParameters& p, ParameterVisitor& v) {
  v.choice("decoder", p.decoder, {{"threshold", "corrects up to correctable_bits errors of a codeword"}},
           "how decoding is modelled");
  v.integer("codeword_bytes", p.codeword_bytes, {64, 65536}, "bytes",
            "data bytes of a codeword; reads move whole codewords over the bus");
  v.integer("correctable_bits", p.correctable_bits, {0, 65536}, "bits", "errors that a codeword can bear");
  v.real("t_decode_us", p.t_decode_us, {0, 100000}, "us", "latency of decoding, from the last byte in to the last out");
  v.real("decode_mb_s", p.decode_mb_s, {0.001, 1e6}, "mb_s",
         "throughput of a channel's decoder, in 1e6 bytes per second");
  v.real("t_encode_us", p.t_encode_us, {0, 100000}, "us", "latency of encoding, from the last byte in to the last out");
  v.real("encode_mb_s", p.encode_mb_s, {0.001, 1e6}, "mb_s",
         "throughput of a channel's encoder, in 1e6 bytes per second");
}

void check(const EccParameters& p, std::uint32_t page_bytes) {
  if (page_bytes % p.codeword_bytes != 0) {
    throw ConfigError({}, "ecc.codeword_bytes",
                      "a page of " + std::to_string(page_bytes) + " bytes is no whole number of codewords of " +
                          std::to_string(p.codeword_bytes) + " bytes; choose a divisor of nand.geometry.page_bytes");
  }
}

}  // namespace nandscape
