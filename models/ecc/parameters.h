// SPDX-License-Identifier: Apache-2.0
// Configuration group `ecc`, and that of any further code of the drive.
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

// Orders of magnitude: published decoders take some 20 pJ for each bit of a codeword [Zhang 2010, LDPC, 65 nm], 200 nJ
// for 1 KiB, and encoders a tenth of that.
struct EccEnergyParameters {
  double decode_nj = 200;
  double iteration_nj = 0;
  double encode_nj = 20;
};
void describe(EccEnergyParameters& p, ParameterVisitor& v);

// A code, and the encoders and decoders for it.
struct CodeParameters {
  VariantChoice codec{"bch", nullptr};
  std::uint32_t codeword_bytes = 1024;
  std::uint32_t correctable_bits = 72;
  std::uint32_t ldpc_parity_bytes = 512;
  std::string table;
  std::string plugin;  // path of a library, by which codec and correctable_bits do not count; empty: none
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
// `decoder` is that of the drive.
void describe(CodeParameters& p, const VariantChoice& decoder, ParameterVisitor& v);

struct EccParameters : CodeParameters {
  VariantChoice decoder{"threshold", nullptr};
  bool scrambler = true;
  std::uint32_t crc_bits = 32;
};

// What was chosen.
const CodeFamily& code_family_of(const CodeParameters& parameters);
std::unique_ptr<DecoderModel> decoder_of(const EccParameters& parameters);

// The code of a codeword.
Code code_of(const CodeParameters& parameters);

// Errors that a codeword can bear, as far as that can be said of its code: those that the codec of a plug-in corrects
// wherever they lie, or `correctable_bits`.
std::uint32_t correctable_bits(const CodeParameters& parameters);

// Errors of a codeword that are corrected wherever they lie; none where no such number is known.
std::optional<std::uint32_t> guaranteed_errors(const EccParameters& parameters);

// Of the CRC beside each codeword: `crc_bits` where the decoder knows of codewords that it could detect, else 0.
std::uint32_t crc_bits_of(const EccParameters& parameters);

// Where its codewords lie in a page of that code alone. With a decoder that has no code, codewords share all of the
// spare bytes. Parameters must have passed check().
PageLayout page_layout(const EccParameters& parameters, std::uint32_t page_bytes, std::uint32_t spare_bytes);

// Throws ConfigError when a page is no whole number of codewords, when there is no such code, when its parity and CRCs
// do not fit into the spare bytes, or when a decoder without a code asks a plug-in for a number that it does not know.
// The code is `drive`'s own or a further one, and stands in the configuration's group of that name.
void check(const CodeParameters& code, const EccParameters& drive, const std::string& group, std::uint32_t page_bytes,
           std::uint32_t spare_bytes);
void check(const EccParameters& drive, std::uint32_t page_bytes, std::uint32_t spare_bytes);
void describe(EccParameters& p, ParameterVisitor& v);

}  // namespace nandscape::ecc
