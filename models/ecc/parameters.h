// SPDX-License-Identifier: Apache-2.0
// Configuration group `ecc`, and the group of any further code of the drive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/parameters.h"
#include "ecc/codes/code_family.h"
#include "ecc/page_coders/decoder_model.h"
#include "protocol/ecc_job.h"
#include "protocol/page_layout.h"

namespace nandscape::ecc {

enum class EngineSharing { per_channel, shared, shared_encoder };
enum class DecodeTime { given, codewords, iterations };

// Orders of magnitude: published decoders take some 20 pJ for each bit of a codeword [Zhang 2010, LDPC, 65 nm], thus
// 200 nJ for 1 KiB; encoders take a tenth of that.
struct EccEnergyParameters {
  double decode_nj = 200;
  double iteration_nj = 0;
  double encode_nj = 20;
};
void describe(EccEnergyParameters& p, ParameterVisitor& v);

// A code and its encoders and decoders.
struct CodeParameters {
  VariantChoice codec{"bch", nullptr};
  std::uint32_t codeword_bytes = 1024;
  std::uint32_t correctable_bits = 72;
  std::uint32_t ldpc_parity_bytes = 512;
  std::string table;
  std::string plugin;  // path of a library, which replaces codec and correctable_bits; empty: none
  std::string plugin_options;
  EngineSharing engines = EngineSharing::per_channel;
  DecodeTime decode_time = DecodeTime::given;
  double t_decode_us = 20;
  double decode_mb_s = 2000;
  double t_codeword_us = 10;
  double clock_mhz = 400;
  std::uint32_t codeword_cycles = 64;
  std::uint32_t iteration_cycles = 576;
  double t_encode_us = 0;
  double encode_mb_s = 2000;
  std::uint32_t decode_fifo_pages = 0;
  std::uint32_t encode_fifo_pages = 0;
  EccEnergyParameters energy;
};
// `decoder` is the drive's choice.
void describe(CodeParameters& p, const VariantChoice& decoder, ParameterVisitor& v);

struct EccParameters : CodeParameters {
  VariantChoice decoder{"threshold", nullptr};
  bool scrambler = true;
  std::uint32_t crc_bits = 32;
};

// The family and the decoder that were chosen.
const CodeFamily& code_family_of(const CodeParameters& parameters);
std::unique_ptr<DecoderModel> decoder_of(const EccParameters& parameters);

// The code of a codeword.
Code code_of(const CodeParameters& parameters);

// Errors that a codeword tolerates: `correctable_bits`, or with a plug-in the number that its codec corrects wherever
// they lie.
std::uint32_t correctable_bits(const CodeParameters& parameters);

// Errors of a codeword that are corrected wherever they lie; nullopt if no such number is known.
[[nodiscard]] std::optional<std::uint32_t> guaranteed_errors(const EccParameters& parameters);

// Width of the CRC beside each codeword: `crc_bits` if the decoder models miscorrections that it could detect, else 0.
std::uint32_t crc_bits_of(const EccParameters& parameters);

// The layout of a page that uses only this code. With a decoder that has no code, codewords share all of the spare
// bytes. The parameters must have passed check().
PageLayout page_layout(const EccParameters& parameters, std::uint32_t page_bytes, std::uint32_t spare_bytes);

// Throws ConfigError if a page is not a whole number of codewords, the code does not exist, or its parity and CRCs do
// not fit into the spare bytes. Also throws if a decoder without a code needs a number of errors that the plug-in does
// not give. `code` is `drive`'s own code or a further one; `group` is its group in the configuration.
void check(const CodeParameters& code, const EccParameters& drive, const std::string& group, std::uint32_t page_bytes,
           std::uint32_t spare_bytes);
void check(const EccParameters& drive, std::uint32_t page_bytes, std::uint32_t spare_bytes);
void describe(EccParameters& p, ParameterVisitor& v);

}  // namespace nandscape::ecc
