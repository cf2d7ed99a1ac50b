// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/checkpoint_file.h"

#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <system_error>

#include "core/error.h"
#include "core/interruption.h"
#include "core/path_check.h"
#include "platform/config/replaced_file.h"

namespace nandscape {

namespace {

constexpr std::string_view kind = "nandscape checkpoint ";
constexpr std::string_view first_line = "nandscape checkpoint 3\n";

struct CompressorDeleter {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct DecompressorDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class FrameWriter {
 public:
  FrameWriter(ReplacedFile& file, std::size_t content_bytes) : file_(file), context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    // Level 1 is sufficient, because threshold voltages can hardly be compressed, and tables and maps compress well at
    // any level.
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(context_.get(), content_bytes);
  }

  void write(const void* data, std::size_t bytes, bool last = false) {
    ZSTD_inBuffer in{data, bytes, 0};
    for (;;) {
      interruption_point();
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      // With these settings, only the allocation of memory can fail.
      if (ZSTD_isError(left) != 0) throw std::bad_alloc();
      file_.write(buffer_.data(), out.pos);
      if (last ? left == 0 : in.pos == in.size) return;
    }
  }

 private:
  ReplacedFile& file_;
  std::unique_ptr<ZSTD_CCtx, CompressorDeleter> context_;
  std::vector<char> buffer_ = std::vector<char>(ZSTD_CStreamOutSize());
};

class FrameReader {
 public:
  FrameReader(std::ifstream& file, const std::string& path)
      : file_(file),
        path_(path),
        context_(ZSTD_createDCtx()),
        buffer_(std::make_unique_for_overwrite<char[]>(ZSTD_DStreamInSize())),
        in_{buffer_.get(), 0, 0} {
    if (context_ == nullptr) throw std::bad_alloc();
    // The writer's compression level needs a window of 512 KiB. Without this limit, a damaged header could request 128
    // MiB.
    constexpr int most_window_log = 21;
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, most_window_log);
  }

  void read(void* data, std::size_t bytes) {
    if (decompress(data, bytes) != bytes) cut_short();
  }

  // Reads the rest of the frame, but at most `most` bytes. The memory grows with the bytes that have been read, so a
  // damaged length cannot exhaust it.
  template <typename Bytes>
  Bytes read_up_to(std::size_t most) {
    Bytes bytes;
    while (!ended_ && bytes.size() < most) {
      const std::size_t known = bytes.size();
      const std::size_t chunk = std::min(std::clamp(known, least_chunk_bytes, most_chunk_bytes), most - known);
      bytes.resize(known + chunk);
      bytes.resize(known + decompress(bytes.data() + known, chunk));
    }
    return bytes;
  }

  [[noreturn]] void cut_short() const {
    throw InputError({path_}, "is a checkpoint that was cut short; save it again or take another copy");
  }

 private:
  static constexpr std::size_t least_chunk_bytes = std::size_t{1} << 12;
  static constexpr std::size_t most_chunk_bytes = std::size_t{1} << 24;

  // Decompresses until `bytes` bytes have been read or the frame ends. Returns the number of bytes read.
  std::size_t decompress(void* data, std::size_t bytes) {
    ZSTD_outBuffer out{data, bytes, 0};
    while (out.pos < out.size && !ended_) {
      interruption_point();
      if (in_.pos == in_.size) {
        file_.read(buffer_.get(), static_cast<std::streamsize>(ZSTD_DStreamInSize()));
        in_ = {buffer_.get(), static_cast<std::size_t>(file_.gcount()), 0};
        if (in_.size == 0) cut_short();
      }
      const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(left) != 0) {
        throw InputError({path_}, "is a damaged checkpoint: " + std::string(ZSTD_getErrorName(left)));
      }
      ended_ = left == 0;
    }
    return out.pos;
  }

  std::ifstream& file_;
  const std::string& path_;
  std::unique_ptr<ZSTD_DCtx, DecompressorDeleter> context_;
  const std::unique_ptr<char[]> buffer_;
  ZSTD_inBuffer in_;
  bool ended_ = false;
};

void check_first_line(std::ifstream& file, const std::string& path) {
  std::string line(first_line.size(), '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  if (line == first_line) return;
  if (line.size() == first_line.size() && line.starts_with(kind)) {
    throw InputError({path}, "is a checkpoint of another version of nandscape; restore it with the one that saved it");
  }
  throw InputError({path}, first_line.starts_with(line) ? "is a checkpoint that was cut short, or an empty file"
                                                        : "is not a checkpoint of nandscape");
}

}  // namespace

void save_checkpoint_file(const std::string& path, std::string_view configuration, std::span<const std::byte> state) {
  ReplacedFile file(checked_path(path));
  file.write(first_line.data(), first_line.size());
  const std::uint64_t length = configuration.size();
  FrameWriter frame(file, sizeof length + configuration.size() + state.size());
  frame.write(&length, sizeof length);
  frame.write(configuration.data(), configuration.size());
  frame.write(state.data(), state.size(), true);
  file.keep();
}

CheckpointFile load_checkpoint_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(checked_path(path), error)) {
    throw InputError({path}, "cannot be read: it is a directory; give the name of a checkpoint in it");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({path}, "cannot be read: " + std::string(std::strerror(errno)));
  check_first_line(file, path);
  FrameReader frame(file, path);
  std::uint64_t length = 0;
  frame.read(&length, sizeof length);
  // The checksum is verified only at the end of the frame, so at this point the length may be damaged.
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;
  if (length > most_bytes) throw InputError({path}, "is a damaged checkpoint: no configuration is that long");
  CheckpointFile checkpoint;
  checkpoint.configuration = frame.read_up_to<std::string>(length);
  if (checkpoint.configuration.size() < length) frame.cut_short();
  checkpoint.state = frame.read_up_to<std::vector<std::byte>>(std::numeric_limits<std::size_t>::max());
  return checkpoint;
}

}  // namespace nandscape
