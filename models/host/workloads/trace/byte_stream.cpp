// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/byte_stream.h"

#include <array>
#include <string_view>

#include "core/error.h"
#include "host/workloads/trace/archive.h"
#include "host/workloads/trace/raw_file.h"

namespace nandscape::host {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  std::string_view name;
  std::unique_ptr<ByteStream> (*open)(std::unique_ptr<RawFile>);  // null: known, but not supported
};

constexpr std::array signatures{
    Signature{"\x1f\x8b"sv, "gzip", open_gzip},
    Signature{"\xfd"
              "7zXZ\0"sv,
              "xz", open_xz},
    Signature{"\x28\xb5\x2f\xfd"sv, "zstd", open_zstd},
    Signature{"BZh"sv, "bzip2", nullptr},
    Signature{"PK\x03\x04"sv, "zip", nullptr},
    Signature{"7z\xbc\xaf\x27\x1c"sv, "7z", nullptr},
    Signature{"\x04\x22\x4d\x18"sv, "lz4", nullptr},
};

}  // namespace

std::unique_ptr<ByteStream> open_byte_stream(const std::string& path) {
  auto file = std::make_unique<RawFile>(path);
  for (const Signature& signature : signatures) {
    if (!file->head().starts_with(signature.bytes)) continue;
    if (signature.open == nullptr) {
      throw InputError({path}, "is a " + std::string(signature.name) +
                                   " archive, which is not supported; unpack it, or compress it with gzip, xz or zstd");
    }
    return signature.open(std::move(file));
  }
  return file;
}

}  // namespace nandscape::host
