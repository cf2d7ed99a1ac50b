// SPDX-License-Identifier: Apache-2.0
// Which blocks are written anew before too many of their bits have flipped [Cai et al., ICCD 2012]. Variants: none,
// period, predicted_rber.
#pragma once

#include "controller/mapping/block_age.h"
#include "core/registry.h"

namespace nandscape::controller {

class RefreshPolicy {
 public:
  virtual ~RefreshPolicy() = default;
  virtual bool due(const BlockAge& block) const = 0;
};

using RefreshRegistry = Registry<RefreshPolicy, const RefreshContext&>;
const RefreshRegistry& refresh_registry();

}  // namespace nandscape::controller
