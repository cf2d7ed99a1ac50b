// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/error.h"

namespace nandscape::host::guest {

// Thrown when the guest breaks a protocol, or when it is gone. The guest cannot continue afterwards; the drive can.
class GuestError : public Error {
 public:
  explicit GuestError(const std::string& what) : Error("guest: " + what) {}
};

// Thrown when the guest has closed a connection, as it does when its kernel ends.
class GuestGone final : public GuestError {
 public:
  using GuestError::GuestError;
};

}  // namespace nandscape::host::guest
