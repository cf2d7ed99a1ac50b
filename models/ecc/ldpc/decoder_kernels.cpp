// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/decoder_kernels.h"

#include "ecc/ldpc/decoder_kernels_impl.h"

namespace nandscape::ecc::ldpc {

// GCC compiles a version of each kernel for each level of x86-64; glibc chooses one when it loads the program. Each
// version has its own vector width, which a single cloned function could not have. The thread sanitizer instruments the
// choosing function but is not ready that early, so builds with it have only one version.
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
