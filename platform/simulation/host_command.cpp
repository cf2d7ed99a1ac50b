// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/host_command.h"

namespace nandscape {

std::string_view name_of(RequestStatus status) {
  switch (status) {
    case RequestStatus::ok: return "ok";
    case RequestStatus::unrecovered_read_error: return "unrecovered_read_error";
    case RequestStatus::write_fault: return "write_fault";
    case RequestStatus::refused: return "refused";
    case RequestStatus::write_protected: return "write_protected";
    case RequestStatus::aborted: return "aborted";
    case RequestStatus::power_lost: return "power_lost";
  }
  return "";
}

const char* text_of(RequestStatus status) {
  switch (status) {
    case RequestStatus::ok: return "ok";
    case RequestStatus::unrecovered_read_error: return "the data could not be read back (unrecovered read error)";
    case RequestStatus::write_fault: return "the data could not be written (write fault)";
    case RequestStatus::refused: return "the drive refused the command";
    case RequestStatus::write_protected:
      return "the drive has become read-only and takes no more writes (namespace is write protected)";
    case RequestStatus::aborted: return "the controller was reset before the command completed (aborted)";
    case RequestStatus::power_lost: return "power was lost before the command completed";
  }
  return "";
}

}  // namespace nandscape
