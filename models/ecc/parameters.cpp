// SPDX-License-Identifier: Apache-2.0
#include "ecc/parameters.h"

#include <memory>
#include <stdexcept>
#include <vector>

#include "core/error.h"
#include "ecc/codes/codec.h"
#include "ecc/codes/payload_crc.h"

namespace nandscape::ecc {

void describe(EccEnergyParameters& p, ParameterVisitor& v) {
  v.real("decode_nj", p.decode_nj, {0, 1e9}, "nj", "energy of decoding a codeword");
  v.real("iteration_nj", p.iteration_nj, {0, 1e9}, "nj",
         "energy of each iteration in addition, if the decoder counts iterations");
  v.real("encode_nj", p.encode_nj, {0, 1e9}, "nj", "energy of encoding a codeword");
}

void describe(EccParameters& p, ParameterVisitor& v) {
  v.variant("decoder", p.decoder, decoder_registry(), "how decoding is modelled");
  v.boolean("scrambler", p.scrambler, "scramble data before encoding, so that all cell states are equally likely");
  v.unread_if(!decoder_of(p)->miscorrects(), {"crc_bits"}, "decoder is " + p.decoder.name);
  v.integer(
      "crc_bits", p.crc_bits, {0, 64}, "bits",
      "width of a CRC of each codeword's data, in the spare bytes: 16, 32 or 64, or 0 for none. A codeword that the "
      "decoder reports as corrected but whose CRC does not match counts as not corrected");
  v.boolean(
      "stop_at_failure", p.stop_at_failure,
      "stop decoding a page at its first codeword that fails; the codewords after it take no time of the decoder");
  describe(p, p.decoder, v);
}

void describe(CodeParameters& p, const VariantChoice& decoder_choice, ParameterVisitor& v) {
  const std::unique_ptr<DecoderModel> decoder = decoder_registry().make(decoder_choice);
  const CodeFamily& family = code_family_of(p);
  const std::string by_decoder = "decoder is " + decoder_choice.name;
  const bool from_plugin = !p.plugin.empty();
  const std::string by_codec = from_plugin ? "plugin is given" : "codec is " + p.codec.name;
  v.unread_if(from_plugin, {"codec", "correctable_bits", "ldpc_parity_bytes"}, by_codec);
  v.unread_if(!from_plugin, {"plugin_options"}, "plugin is empty");
  v.unread_if(!decoder->has_code(), {"codec", "ldpc_parity_bytes", "table"}, by_decoder);
  v.unread_if(decoder->has_code() && !decoder->has_tables(), {"table"}, by_decoder);
  v.unread_if(decoder->has_code() && !family.has_ldpc_parity(), {"ldpc_parity_bytes"}, by_codec);
  v.unread_if(decoder->has_code() && !family.has_correctable_bits(), {"correctable_bits"}, by_codec);
  const std::vector<Choice> times = {
      {"given", "t_decode_us and decode_mb_s"},
      {"codewords", "t_codeword_us for each codeword"},
      {"iterations", "codeword_cycles plus iterations times iteration_cycles, in clock cycles, for each codeword"}};
  const std::string by_time = "decode_time is " + std::string(times[static_cast<std::size_t>(p.decode_time)].name);
  v.unread_if(p.engines != EngineSharing::pool, {"pool_engines"}, "engines is not pool");
  v.unread_if(p.decode_time != DecodeTime::iterations, {"clock_mhz", "codeword_cycles", "iteration_cycles"}, by_time);
  v.unread_if(p.decode_time != DecodeTime::given, {"t_decode_us", "decode_mb_s"}, by_time);
  v.unread_if(p.decode_time != DecodeTime::codewords, {"t_codeword_us"}, by_time);
  v.variant("codec", p.codec, code_family_registry(), "the code, for the decoders `table`, `bit_true` and `steps`");
  v.integer("codeword_bytes", p.codeword_bytes, {64, 65536}, "bytes",
            "data bytes of a codeword; reads move whole codewords over the bus");
  v.integer("correctable_bits", p.correctable_bits, {0, 65536}, "bits", "errors that a codeword tolerates");
  v.integer("ldpc_parity_bytes", p.ldpc_parity_bytes, {1, 65536}, "bytes", "parity of an LDPC codeword");
  v.text("table", p.table, "file of measurements for decoder `table`; empty: the measurements shipped with the code");
  v.text("plugin", p.plugin,
         "shared library whose codec replaces `codec`, as a path relative to the file that names it; empty: none");
  v.text("plugin_options", p.plugin_options, "options passed to the codec of the plug-in when it is made");
  v.choice("engines", p.engines,
           {{"per_channel", "an encoder and a decoder for each channel"},
            {"shared", "one of each for all channels"},
            {"shared_encoder", "one encoder for all channels and a decoder for each channel"},
            {"pool", "pool_engines of each for all channels: a page goes to the one that is free first"}},
           "how many engines there are");
  v.integer("pool_engines", p.pool_engines, {1, 4096}, "", "encoders, and as many decoders, of a pool");
  v.integer("soft_engines", p.soft_engines, {0, 4096}, "",
            "decoders of a pool for the soft reads of all channels; 0: soft reads use the decoders of hard reads");
  v.choice("decode_time", p.decode_time, times, "how the time of decoding is given");
  v.real("t_decode_us", p.t_decode_us, {0, 100000}, "us", "latency of decoding, from the last byte in to the last out");
  v.real("decode_mb_s", p.decode_mb_s, {0.001, 1e6}, "mb_s", "throughput of a decoder, in 1e6 bytes per second");
  v.real("t_codeword_us", p.t_codeword_us, {0, 100000}, "us",
         "time to decode a codeword; decoding starts when the codeword has arrived over the bus");
  v.real("clock_mhz", p.clock_mhz, {0.001, 1e6}, "mhz", "clock of the decoder");
  v.integer("codeword_cycles", p.codeword_cycles, {0, 1'000'000}, "cycles",
            "clock cycles of each codeword: syndromes, and moving it in and out");
  v.integer(
      "iteration_cycles", p.iteration_cycles, {0, 1'000'000}, "cycles",
      "clock cycles of each iteration: for LDPC the circulants of the matrix divided by those handled at once; for BCH "
      "spent once, to find the errors of a codeword that has any");
  v.real("t_encode_us", p.t_encode_us, {0, 100000}, "us", "latency of encoding, from the last byte in to the last out");
  v.real("encode_mb_s", p.encode_mb_s, {0, 1e6}, "mb_s",
         "throughput of an encoder, in 1e6 bytes per second; 0: unlimited");
  v.integer("decode_fifo_pages", p.decode_fifo_pages, {0, 65536}, "pages",
            "capacity of a decoder's FIFO, including the page being decoded; further pages wait; 0: unlimited. The "
            "decoders of a pool share one FIFO of the sum of their capacities");
  v.integer(
      "encode_fifo_pages", p.encode_fifo_pages, {0, 65536}, "pages",
      "capacity of an encoder's FIFO, including the page being encoded; 0: unlimited; in a pool, as for decoders");
  v.group("energy", p.energy, "energy of encoders and decoders");
}

const CodeFamily& code_family_of(const CodeParameters& p) {
  return code_family(p.plugin.empty() ? std::string_view(p.codec.name) : plugin_family);
}

std::unique_ptr<DecoderModel> decoder_of(const EccParameters& p) { return decoder_registry().make(p.decoder); }

Code code_of(const CodeParameters& p) {
  if (!p.plugin.empty()) {
    return {.family = std::string(plugin_family),
            .payload_bytes = p.codeword_bytes,
            .plugin = p.plugin,
            .plugin_options = p.plugin_options};
  }
  const CodeFamily& family = code_family_of(p);
  return {p.codec.name, p.codeword_bytes, family.has_correctable_bits() ? p.correctable_bits : 0,
          family.has_ldpc_parity() ? p.ldpc_parity_bytes : 0};
}

std::uint32_t correctable_bits(const CodeParameters& p) {
  const std::uint32_t of_plugin = p.plugin.empty() ? 0 : code_family_of(p).guaranteed_errors(code_of(p));
  return of_plugin > 0 ? of_plugin : p.correctable_bits;
}

std::optional<std::uint32_t> guaranteed_errors(const EccParameters& p) {
  if (!decoder_of(p)->has_code()) return correctable_bits(p);
  const std::uint32_t errors = code_family_of(p).guaranteed_errors(code_of(p));
  if (errors == 0) return std::nullopt;
  return errors;
}

std::uint32_t crc_bits_of(const EccParameters& p) { return decoder_of(p)->miscorrects() ? p.crc_bits : 0; }

PageLayout page_layout(const EccParameters& p, std::uint32_t page_bytes, std::uint32_t spare_bytes) {
  if (!decoder_of(p)->has_code()) return PageLayout::sharing_spare(page_bytes, spare_bytes, p.codeword_bytes);
  const std::unique_ptr<Codec> codec = make_codec(code_of(p));
  return {page_bytes, spare_bytes, p.codeword_bytes, codec->parity_bytes() + crc_bits_of(p) / 8,
          codec->codeword_bits()};
}

namespace {

// Returns the configuration key that selects the code, for messages.
std::string code_key(const CodeParameters& p, const std::string& group) {
  return group + (p.plugin.empty() ? ".codec" : ".plugin");
}

// Throws ConfigError if the code does not state how many errors it corrects. A decoder that only compares error counts
// needs this number.
void check_threshold(const CodeParameters& p, const VariantChoice& decoder, const std::string& group) {
  try {
    if (code_family_of(p).guaranteed_errors(code_of(p)) > 0) return;
  } catch (const std::invalid_argument& error) {
    throw ConfigError({}, code_key(p, group), error.what());
  }
  throw ConfigError({}, code_key(p, group),
                    "its codec does not say how many errors it corrects wherever they lie, which decoder `" +
                        decoder.name + "` needs; take `table` or `bit_true`");
}

}  // namespace

void check(const CodeParameters& p, const EccParameters& drive, const std::string& group, std::uint32_t page_bytes,
           std::uint32_t spare_bytes) {
  if (page_bytes % p.codeword_bytes != 0) {
    throw ConfigError({}, group + ".codeword_bytes",
                      "a page of " + std::to_string(page_bytes) + " bytes is not a whole number of codewords of " +
                          std::to_string(p.codeword_bytes) + " bytes; choose a divisor of nand.geometry.page_bytes");
  }
  const std::unique_ptr<DecoderModel> decoder = decoder_of(drive);
  if (!decoder->has_code()) {
    if (!p.plugin.empty()) check_threshold(p, drive.decoder, group);
    return;
  }
  const std::uint32_t codewords = page_bytes / p.codeword_bytes;
  const std::uint32_t parity = [&] {
    try {
      return codewords * make_codec(code_of(p))->parity_bytes();
    } catch (const std::invalid_argument& error) {
      throw ConfigError({}, code_key(p, group), error.what());
    }
  }();
  const std::uint32_t crcs = codewords * (crc_bits_of(drive) / 8);
  if (parity + crcs > spare_bytes) {
    const std::string and_crcs = crcs == 0 ? "" : " and " + std::to_string(crcs) + " for CRCs (ecc.crc_bits)";
    const std::string instead = parity > spare_bytes
                                    ? "take a weaker code"
                                    : "set ecc.crc_bits to " +
                                          std::to_string(widest_crc(8 * ((spare_bytes - parity) / codewords))) +
                                          ", take a weaker code";
    throw ConfigError({}, code_key(p, group),
                      "the " + std::to_string(codewords) + " codewords of a page (" + to_string(code_of(p)) +
                          ") need " + std::to_string(parity) + " bytes for parity" + and_crcs +
                          ", but nand.geometry.spare_bytes is " + std::to_string(spare_bytes) + "; " + instead +
                          " or a page with more spare bytes");
  }
}

void check(const EccParameters& p, std::uint32_t page_bytes, std::uint32_t spare_bytes) {
  decoder_of(p)->check();
  if (p.crc_bits != 0 && !has_crc(p.crc_bits)) {
    throw ConfigError({}, "ecc.crc_bits",
                      "is " + std::to_string(p.crc_bits) + "; it must be 16, 32 or 64, or 0 for none");
  }
  check(p, p, "ecc", page_bytes, spare_bytes);
}

}  // namespace nandscape::ecc
