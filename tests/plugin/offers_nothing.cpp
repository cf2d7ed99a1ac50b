// SPDX-License-Identifier: Apache-2.0
// A plug-in without a codec and without a content engine.
#include "protocol/plugin/plugin.h"

NANDSCAPE_PLUGIN(nandscape::plugin::Plugin)
