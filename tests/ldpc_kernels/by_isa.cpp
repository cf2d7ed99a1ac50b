// SPDX-License-Identifier: Apache-2.0
#include "ldpc_kernels/by_isa.h"

#include "ecc/ldpc/decoder_kernels_impl.h"

#define KERNELS_FOR(ISA, TARGET, WIDTH)                                                                        \
  namespace ISA {                                                                                              \
  TARGET void update_layer(const Layer& layer, bool first) { kernel_code::update_layer<WIDTH>(layer, first); } \
  TARGET bool layer_holds(const Layer& layer) { return kernel_code::layer_holds<WIDTH>(layer); }               \
  const DecoderKernels kernels{&update_layer, &layer_holds};                                                   \
  }

namespace nandscape {
namespace ecc::ldpc {
namespace {

KERNELS_FOR(generic, , 16)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
KERNELS_FOR(avx2, [[gnu::target("arch=x86-64-v3")]], 32)
KERNELS_FOR(avx512, [[gnu::target("arch=x86-64-v4")]], 64)
#endif

}  // namespace
}  // namespace ecc::ldpc

std::vector<LdpcKernels> ldpc_kernels_by_isa() {
  std::vector<LdpcKernels> kernels = {{"dispatched", ecc::ldpc::dispatched_kernels},
                                      {"generic", ecc::ldpc::generic::kernels}};
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (__builtin_cpu_supports("x86-64-v3")) kernels.push_back({"avx2", ecc::ldpc::avx2::kernels});
  if (__builtin_cpu_supports("x86-64-v4")) kernels.push_back({"avx512", ecc::ldpc::avx512::kernels});
#endif
  return kernels;
}

}  // namespace nandscape
