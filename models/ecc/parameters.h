// SPDX-License-Identifier: Apache-2.0
// Configuration group `ecc`, and the groups of the drive's additional codes.
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

enum class EngineSharing { per_channel, shared, shared_encoder, pool };
enum class DecodeTime { given, codewords, iterations };

// The defaults are orders of magnitude. Published decoders need about 20 pJ for each bit of a codeword [Zhang 2010, an
// LDPC decoder in 65 nm], which is 200 nJ for a codeword of 1 KiB. An encoder is assumed to need a tenth of this
// energy.
struct EccEnergyParameters {
  double decode_nj = 200;
  double iteration_nj = 0;
  double encode_nj = 20;
};
void describe(EccEnergyParameters& p, ParameterVisitor& v);

// The parameters of one code, and of the encoders and decoders for this code.
struct CodeParameters {
  VariantChoice codec{"bch", nullptr};
  std::uint32_t codeword_bytes = 1024;
  std::uint32_t correctable_bits = 72;
  std::uint32_t ldpc_parity_bytes = 512;
  std::string table;
  std::string plugin;  // path of a library whose codec replaces codec and correctable_bits; empty: no library
  std::string plugin_options;
  EngineSharing engines = EngineSharing::per_channel;
  std::uint32_t pool_engines = 2;
  std::uint32_t soft_engines = 0;  // 0: soft reads use the decoders of hard reads
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
// Describes the keys of one code. `decoder` is the decoder model of the drive, on which the meaning of some keys
// depends.
void describe(CodeParameters& p, const VariantChoice& decoder, ParameterVisitor& v);

struct EccParameters : CodeParameters {
  VariantChoice decoder{"threshold", nullptr};
  bool scrambler = true;
  std::uint32_t crc_bits = 32;
  bool stop_at_failure = false;
};

// Return the code family that the parameters select, and the decoder model.
const CodeFamily& code_family_of(const CodeParameters& parameters);
std::unique_ptr<DecoderModel> decoder_of(const EccParameters& parameters);

// Returns the code that the parameters select.
Code code_of(const CodeParameters& parameters);

// Returns the number of errors that a codeword tolerates: the key `correctable_bits`, or, for a plug-in, the number of
// errors that its codec corrects wherever they lie in the codeword.
std::uint32_t correctable_bits(const CodeParameters& parameters);

// Returns the number of errors that are corrected wherever they lie in a codeword; nullopt if the code states no such
// number.
[[nodiscard]] std::optional<std::uint32_t> guaranteed_errors(const EccParameters& parameters);

// Returns the width of the CRC beside each codeword, in bits: `crc_bits` if the decoder models miscorrections, which
// the CRC may detect, and 0 otherwise.
std::uint32_t crc_bits_of(const EccParameters& parameters);

// Returns the layout of a page whose codewords all use this code. If the decoder model has no code, the codewords
// divide all of the spare bytes among them. The parameters must have passed check().
PageLayout page_layout(const EccParameters& parameters, std::uint32_t page_bytes, std::uint32_t spare_bytes);

// Throws ConfigError if the page size is not a multiple of the codeword size, if the code does not exist, or if the
// parity and the CRCs do not fit into the spare bytes. Also throws if the decoder model has no code and the plug-in
// does not state how many errors it corrects. `code` is either `drive` itself or one of the drive's additional codes;
// `group` is the configuration group of `code`, for messages.
void check(const CodeParameters& code, const EccParameters& drive, const std::string& group, std::uint32_t page_bytes,
           std::uint32_t spare_bytes);
void check(const EccParameters& drive, std::uint32_t page_bytes, std::uint32_t spare_bytes);
void describe(EccParameters& p, ParameterVisitor& v);

}  // namespace nandscape::ecc
