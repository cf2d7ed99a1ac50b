// SPDX-License-Identifier: Apache-2.0
// A plug-in that states the current interface version, although its structures are larger than those of this version.
#include "protocol/plugin/plugin.h"

using namespace nandscape::plugin;

extern "C" __attribute__((visibility("default"))) const Descriptor* nandscape_plugin() {
  static Plugin plugin;
  static const Descriptor descriptor{.facts_bytes = sizeof(CodecFacts) + 8, .plugin = &plugin};
  return &descriptor;
}
