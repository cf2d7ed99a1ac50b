// SPDX-License-Identifier: Apache-2.0
// The data structures that Identify returns.
#pragma once

#include "host/nvme/controller_parts.h"
#include "protocol/nvme.h"

namespace nandscape::host {

nvme::IdentifyController identify_controller(const ControllerParts& parts);
nvme::IdentifyNamespace identify_namespace(const ControllerParts& parts);
// The Namespace Identification Descriptor list of the only namespace, which holds its EUI-64.
std::vector<std::byte> namespace_descriptors();

inline constexpr std::string_view firmware_revision = "1.0";

}  // namespace nandscape::host
