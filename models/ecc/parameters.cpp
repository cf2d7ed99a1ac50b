// SPDX-License-Identifier: Apache-2.0
#include "ecc/parameters.h"

#include <memory>
#include <stdexcept>

#include "core/error.h"
#include "ecc/codes/codec.h"

namespace nandscape::ecc {

void describe(EccEnergyParameters& p, ParameterVisitor& v) {
  v.real("decode_nj", p.decode_nj, {0, 1e9}, "nj", "energy of decoding a codeword");
  v.real("iteration_nj", p.iteration_nj, {0, 1e9}, "nj",
         "energy of each iteration besides, where the decoder knows of them");
  v.real("encode_nj", p.encode_nj, {0, 1e9}, "nj", "energy of encoding a codeword");
}

void describe(EccParameters& p, ParameterVisitor& v) {
  const std::unique_ptr<DecoderModel> decoder = decoder_of(p);
  const CodeFamily& family = code_family_of(p);
  const std::string by_decoder = "decoder is " + p.decoder.name;
  const std::string by_codec = "codec is " + p.codec.name;
  v.unread_if(!decoder->has_code(), {"codec", "ldpc_parity_bytes", "table"}, by_decoder);
  v.unread_if(decoder->has_code() && !decoder->has_tables(), {"table"}, by_decoder);
  v.unread_if(decoder->has_code() && !family.has_ldpc_parity(), {"ldpc_parity_bytes"}, by_codec);
  v.unread_if(decoder->has_code() && !family.has_correctable_bits(), {"correctable_bits"}, by_codec);
  const bool given = p.decode_time == DecodeTime::given;
  v.unread_if(given, {"clock_mhz", "codeword_cycles", "iteration_cycles"}, "decode_time is given");
  v.unread_if(!given, {"t_decode_us", "decode_mb_s"}, "decode_time is iterations");
  v.variant("codec", p.codec, code_family_registry(), "the code, for the decoders `table` and `bit_true`");
  v.variant("decoder", p.decoder, decoder_registry(), "how decoding is modelled");
  v.integer("codeword_bytes", p.codeword_bytes, {64, 65536}, "bytes",
            "data bytes of a codeword; reads move whole codewords over the bus");
  v.integer("correctable_bits", p.correctable_bits, {0, 65536}, "bits", "errors that a codeword can bear");
  v.integer("ldpc_parity_bytes", p.ldpc_parity_bytes, {1, 65536}, "bytes", "parity of an LDPC codeword");
  v.text("table", p.table, "file of measurements for decoder `table`; empty: those that come with the code");
  v.boolean("scrambler", p.scrambler,
            "make data look random before they are encoded, so that the states of cells are equally likely");
  v.choice("engines", p.engines,
           {{"per_channel", "an encoder and a decoder for each channel"}, {"shared", "one of each for all channels"}},
           "how many engines there are");
  v.choice("decode_time", p.decode_time,
           {{"given", "t_decode_us and decode_mb_s"},
            {"iterations", "codeword_cycles and iterations times iteration_cycles of the clock, codeword by codeword"}},
           "where the time of decoding comes from");
  v.real("t_decode_us", p.t_decode_us, {0, 100000}, "us", "latency of decoding, from the last byte in to the last out");
  v.real("decode_mb_s", p.decode_mb_s, {0.001, 1e6}, "mb_s", "throughput of a decoder, in 1e6 bytes per second");
  v.real("clock_mhz", p.clock_mhz, {0.001, 1e6}, "mhz", "clock of the decoder");
  v.integer("codeword_cycles", p.codeword_cycles, {0, 1'000'000}, "cycles",
            "that each codeword takes: syndromes, and moving it in and out");
  v.integer(
      "iteration_cycles", p.iteration_cycles, {0, 1'000'000}, "cycles",
      "of each iteration: for LDPC the circulants of the matrix over those handled at once; for BCH once, to find "
      "the errors of a codeword that has any");
  v.real("t_encode_us", p.t_encode_us, {0, 100000}, "us", "latency of encoding, from the last byte in to the last out");
  v.real("encode_mb_s", p.encode_mb_s, {0.001, 1e6}, "mb_s", "throughput of an encoder, in 1e6 bytes per second");
  v.integer("decode_fifo_pages", p.decode_fifo_pages, {0, 65536}, "pages",
            "that a decoder's FIFO takes, with the one at work; others wait before it; 0: any number");
  v.integer("encode_fifo_pages", p.encode_fifo_pages, {0, 65536}, "pages", "that an encoder's FIFO takes, likewise");
  v.group("energy", p.energy, "what encoders and decoders take from the supply");
}

const CodeFamily& code_family_of(const EccParameters& p) { return code_family(p.codec.name); }

std::unique_ptr<DecoderModel> decoder_of(const EccParameters& p) { return decoder_registry().make(p.decoder); }

Code code_of(const EccParameters& p) {
  const CodeFamily& family = code_family_of(p);
  return {p.codec.name, p.codeword_bytes, family.has_correctable_bits() ? p.correctable_bits : 0,
          family.has_ldpc_parity() ? p.ldpc_parity_bytes : 0};
}

std::optional<std::uint32_t> guaranteed_errors(const EccParameters& p) {
  if (!decoder_of(p)->has_code()) return p.correctable_bits;
  const std::uint32_t errors = code_family_of(p).guaranteed_errors(code_of(p));
  if (errors == 0) return std::nullopt;
  return errors;
}

PageLayout page_layout(const EccParameters& p, std::uint32_t page_bytes, std::uint32_t spare_bytes) {
  if (!decoder_of(p)->has_code()) return PageLayout::sharing_spare(page_bytes, spare_bytes, p.codeword_bytes);
  const std::unique_ptr<Codec> codec = make_codec(code_of(p));
  return {page_bytes, spare_bytes, p.codeword_bytes, codec->parity_bytes(), codec->codeword_bits()};
}

void check(const EccParameters& p, std::uint32_t page_bytes, std::uint32_t spare_bytes) {
  if (page_bytes % p.codeword_bytes != 0) {
    throw ConfigError({}, "ecc.codeword_bytes",
                      "a page of " + std::to_string(page_bytes) + " bytes is no whole number of codewords of " +
                          std::to_string(p.codeword_bytes) + " bytes; choose a divisor of nand.geometry.page_bytes");
  }
  if (!decoder_of(p)->has_code()) {
    if (p.decode_time == DecodeTime::iterations) {
      throw ConfigError({}, "ecc.decode_time",
                        "decoder `" + p.decoder.name + "` knows of no iterations; take `table` or `bit_true`");
    }
    return;
  }
  const PageLayout layout = [&] {
    try {
      return page_layout(p, page_bytes, spare_bytes);
    } catch (const std::invalid_argument& error) {
      throw ConfigError({}, "ecc.codec", error.what());
    }
  }();
  const std::uint32_t parity = layout.codewords() * layout.parity_bytes;
  if (parity > spare_bytes) {
    throw ConfigError({}, "ecc.codec",
                      "the " + std::to_string(layout.codewords()) + " codewords of a page (" + to_string(code_of(p)) +
                          ") need " + std::to_string(parity) + " bytes for parity, and nand.geometry.spare_bytes is " +
                          std::to_string(spare_bytes) + "; take a weaker code or a page with more spare bytes");
  }
}

}  // namespace nandscape::ecc
