// SPDX-License-Identifier: Apache-2.0
// Fuzz test: loads arbitrary bytes as a checkpoint file. Loading must return the content or throw an InputError. The
// first input byte selects what the other bytes are: a whole file, the part after the first line, or the content of a
// compressed frame with a correct checksum.
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/message_text.h"
#include "platform/simulation/checkpoint_file.h"
#include "require.h"

namespace nandscape {
namespace {

constexpr const char* first_line = "nandscape checkpoint 3\n";

std::string compressed(const char* data, std::size_t size) {
  // Created only once, since allocating its memory costs more than the rest of an execution.
  static ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(size), '\0');
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), data, size));
  return frame;
}

std::string file_of(const char* data, std::size_t size) {
  if (size == 0) return {};
  const std::string rest(data + 1, size - 1);
  switch (data[0] % 4) {
    case 0: return rest;
    case 1: return first_line + rest;
    default: return first_line + compressed(rest.data(), rest.size());
  }
}

}  // namespace
}  // namespace nandscape

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nandscape;
  const std::string bytes = file_of(reinterpret_cast<const char*>(data), size);
  static const int file = memfd_create("checkpoint", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  require(ftruncate(file, 0) == 0 && pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
          "the input is written");
  try {
    const CheckpointFile checkpoint = load_checkpoint_file(path);
    require(checkpoint.configuration.size() <= std::size_t{1} << 28, "the configuration has its bound");
  } catch (const InputError& error) {
    const std::string told = error.what();
    require(told == message_text(told), "the message is printable");
  }
  return 0;
}
