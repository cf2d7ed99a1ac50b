// SPDX-License-Identifier: Apache-2.0
// A plug-in that provides neither a codec nor a content engine.
#include "protocol/plugin/plugin.h"

NANDSCAPE_PLUGIN(nandscape::plugin::Plugin)
