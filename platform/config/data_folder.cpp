// SPDX-License-Identifier: Apache-2.0
#include "platform/config/data_folder.h"

#include <system_error>

#include "core/error.h"
#include "platform/config/code_tables.h"
#include "platform/config/configuration.h"
#include "platform/config/read_timing_tables.h"

namespace nandscape {

void set_data_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder / "presets", error)) {
    throw InputError({folder.string()},
                     "has no folder `presets`; the data folder of nandscape is share/nandscape of an installation, "
                     "or platform in the sources");
  }
  set_preset_folder(folder / "presets");
  set_cell_set_folder(folder / "cells");
  set_code_table_folder(folder / "codes");
  set_read_timing_table_folder(folder / "read_timing");
  set_workload_profile_folder(folder / "profiles");
}

}  // namespace nandscape
