// SPDX-License-Identifier: Apache-2.0
// Saves and loads the state of a device. The first line of the file gives its kind and version. It is followed by one
// zstd frame with a checksum, which contains the configuration as text and the bytes of an archive.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nandscape {

struct CheckpointFile {
  std::string configuration;  // as YAML text
  std::vector<std::byte> state;
};

// Writes a checkpoint atomically, as described in replaced_file.h. Throws InputError if the file cannot be written.
void save_checkpoint_file(const std::string& path, std::string_view configuration, std::span<const std::byte> state);

// Reads a checkpoint. Throws InputError if the file does not exist, is not a checkpoint, or is damaged or truncated.
CheckpointFile load_checkpoint_file(const std::string& path);

}  // namespace nandscape
