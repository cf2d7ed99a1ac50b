// SPDX-License-Identifier: Apache-2.0
// A plug-in that was built for the next version of the plug-in interface.
#include "protocol/plugin/plugin.h"

using namespace nandscape::plugin;

extern "C" __attribute__((visibility("default"))) const Descriptor* nandscape_plugin() {
  static Plugin plugin;
  static const Descriptor descriptor{.version = interface_version + 1, .plugin = &plugin};
  return &descriptor;
}
