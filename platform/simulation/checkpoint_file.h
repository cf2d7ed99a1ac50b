// SPDX-License-Identifier: Apache-2.0
// A file that holds the state of a device: a line that says what it is, then one zstd frame with its checksum, of the
// configuration as text and the bytes of an archive.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nandscape {

struct CheckpointFile {
  std::string configuration;  // YAML
  std::vector<std::byte> state;
};

// By the rules of replaced_file.h. Throws InputError when it cannot be written.
void save_checkpoint_file(const std::string& path, std::string_view configuration, std::span<const std::byte> state);

// Throws InputError when there is no such file, when it is something else, or when it is damaged or cut short.
CheckpointFile load_checkpoint_file(const std::string& path);

}  // namespace nandscape
