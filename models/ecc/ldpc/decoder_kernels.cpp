// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/decoder_kernels.h"

#include "ecc/ldpc/decoder_kernels_impl.h"

namespace nandscape::ecc::ldpc {

// GCC compiles one version of each kernel for each level of x86-64, and glibc selects a version when it loads the
// program. The versions are written out because each needs another vector width, which is not possible with the
// attribute target_clones. Builds with the thread sanitizer have only one version: the sanitizer instruments the
// selecting function, but is not initialised at that time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_THREAD__)
#define NANDSCAPE_VERSIONS(RESULT, NAME, PARAMETERS, ...)                                                           \
  [[gnu::target("arch=x86-64-v4")]] RESULT NAME##_version PARAMETERS { return kernel_code::NAME<64>(__VA_ARGS__); } \
  [[gnu::target("arch=x86-64-v3")]] RESULT NAME##_version PARAMETERS { return kernel_code::NAME<32>(__VA_ARGS__); } \
  [[gnu::target("default")]] RESULT NAME##_version PARAMETERS { return kernel_code::NAME<16>(__VA_ARGS__); }
#else
#define NANDSCAPE_VERSIONS(RESULT, NAME, PARAMETERS, ...) \
  RESULT NAME##_version PARAMETERS { return kernel_code::NAME<16>(__VA_ARGS__); }
#endif

namespace {

NANDSCAPE_VERSIONS(void, update_layer, (const Layer& layer, bool first), layer, first)
NANDSCAPE_VERSIONS(bool, layer_holds, (const Layer& layer), layer)

}  // namespace

void update_layer(const Layer& layer, bool first) { update_layer_version(layer, first); }
bool layer_holds(const Layer& layer) { return layer_holds_version(layer); }

}  // namespace nandscape::ecc::ldpc
