// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/decoder_model.h"

namespace nandscape::ecc {

// To add a decoder model, add its source file, and declare and call its registration function here.
void register_threshold(DecoderRegistry& registry);
void register_table(DecoderRegistry& registry);
void register_bit_true(DecoderRegistry& registry);
void register_steps(DecoderRegistry& registry);

DecoderRegistry& decoder_registry() {
  static DecoderRegistry registry("ecc.decoder", [](DecoderRegistry& r) {
    for (const auto add : {register_threshold, register_table, register_bit_true, register_steps}) add(r);
  });
  return registry;
}

}  // namespace nandscape::ecc
