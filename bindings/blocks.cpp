// SPDX-License-Identifier: Apache-2.0
#include "blocks.h"

#include <utility>

#include "arrays.h"
#include "controller/mapping/block_table.h"

namespace nandscape::python {

namespace py = pybind11;

py::tuple block_states() {
  py::list names;
  for (const char* const name : controller::BlockTable::state_names) names.append(name);
  return py::tuple(names);
}

py::dict to_dict(controller::BlockView view) {
  py::dict columns;
  columns["plane"] = to_array(std::move(view.plane));
  columns["channel"] = to_array(std::move(view.channel));
  columns["die"] = to_array(std::move(view.die));
  columns["state"] = to_array(std::move(view.state));
  columns["write_mode"] = to_array(std::move(view.write_mode));
  columns["cells"] = to_array(std::move(view.cells));
  columns["erases"] = to_array(std::move(view.erases));
  columns["slc_erases"] = to_array(std::move(view.slc_erases));
  columns["cycles"] = to_array(std::move(view.cycles));
  columns["units"] = to_array(std::move(view.units));
  columns["valid_units"] = to_array(std::move(view.valid_units));
  columns["programmed_pages"] = to_array(std::move(view.programmed_pages));
  columns["age_hours"] = to_array(std::move(view.age_hours));
  columns["reads"] = to_array(std::move(view.reads));
  return columns;
}

}  // namespace nandscape::python
