// SPDX-License-Identifier: Apache-2.0
// A content engine that calls a plug-in, whose path is `controller.content.plugin` (see protocol/plugin/plugin.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "controller/content/content_engine.h"
#include "controller/content/wordline_speed_table.h"
#include "protocol/plugin/plugin_library.h"

namespace nandscape::controller {

class PluginEngine final : public ContentEngine {
 public:
  // Throws std::invalid_argument if the library at `path` is not a plug-in or provides no content engine.
  PluginEngine(const std::string& path, const std::string& options, const WordlineSpeedTable& speeds,
               std::uint32_t cells);

  // Throw InputError if the plug-in throws an exception or returns a step that is not in the table.
  StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) override;
  std::uint32_t step(PairedPage page, const StateCounts& states) override;

 private:
  const std::shared_ptr<const PluginLibrary> library_;  // must outlive engine_, whose code is in the library
  const std::vector<plugin::WriteStep> steps_;
  const std::unique_ptr<plugin::ContentEngine> engine_;
};

}  // namespace nandscape::controller
