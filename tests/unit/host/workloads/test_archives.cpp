// SPDX-License-Identifier: Apache-2.0
// Tests compressed trace files. They must give the same lines as uncompressed files, whatever their name. Damaged and
// truncated files must be reported as errors.
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "core/random.h"
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string archive(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(archive.data());
  stream.avail_out = static_cast<uInt>(archive.size());
  deflate(&stream, Z_FINISH);
  archive.resize(stream.total_out);
  deflateEnd(&stream);
  return archive;
}

std::string xz(const std::string& text) {
  std::string archive(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(archive.data()), &size, archive.size());
  archive.resize(size);
  return archive;
}

std::string zstd(const std::string& text) {
  std::string archive(ZSTD_compressBound(text.size()), '\0');
  archive.resize(ZSTD_compress(archive.data(), archive.size(), text.data(), text.size(), 3));
  return archive;
}

struct Compressor {
  const char* name;
  std::string (*compress)(const std::string&);
};
constexpr Compressor compressors[] = {{"gzip", gzip}, {"xz", xz}, {"zstd", zstd}};

constexpr int records = 50'000;

// Returns a trace that is larger than the buffers of the readers, even when it is compressed.
std::string long_text() {
  std::string text;
  RandomStream random(1, "test");
  for (int k = 0; k < records; ++k) {
    text += std::to_string(k * 1000) + " 0 " + std::to_string(random.below(1'000'000)) + " 8 1\n";
  }
  return text;
}

}  // namespace

TEST_CASE("archives hold the same requests as their text", "[trace]") {
  const std::string text = long_text();
  const auto plain = requests_of_trace(text);
  REQUIRE(plain.size() == records);
  for (const Compressor& compressor : compressors) {
    INFO(compressor.name);
    const auto unpacked = requests_of_trace(compressor.compress(text));
    REQUIRE(unpacked.size() == plain.size());
    bool same = true;
    for (std::size_t k = 0; k < plain.size(); ++k) same = same && unpacked[k].first == plain[k].first;
    CHECK(same);
    // Concatenated archives are one text.
    CHECK(requests_of_trace(compressor.compress(text) + compressor.compress(text)).size() == 2 * records);
  }
}

TEST_CASE("a truncated archive is an error that names the file", "[trace]") {
  const std::string text = long_text();
  for (const Compressor& compressor : compressors) {
    const std::string archive = compressor.compress(text);
    for (const std::size_t missing : {std::size_t{1}, std::size_t{9}, archive.size() / 2, archive.size() - 8}) {
      INFO(compressor.name << " without its last " << missing << " bytes");
      CHECK_THAT(message_of<InputError>([&] { requests_of_trace(archive.substr(0, archive.size() - missing)); }),
                 ContainsSubstring("trace.txt: the " + std::string(compressor.name) + " archive ends in the middle"));
    }
  }
}

TEST_CASE("a damaged archive is an error", "[trace]") {
  const std::string text = long_text();
  for (const Compressor& compressor : compressors) {
    INFO(compressor.name);
    std::string archive = compressor.compress(text);
    for (std::size_t k = archive.size() / 2; k < archive.size() / 2 + 16; ++k) archive[k] ^= 0x55;
    CHECK_THROWS_AS(requests_of_trace(archive), InputError);
  }
}

TEST_CASE("unsupported archive formats are named in the error", "[trace]") {
  CHECK_THAT(message_of<InputError>([] { requests_of_trace("BZh91AY&SY..."); }),
             ContainsSubstring("is a bzip2 archive"));
}
