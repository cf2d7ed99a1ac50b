// SPDX-License-Identifier: Apache-2.0
// A new kind of policy adds its adapter's function to policies.h and its line to `kinds`.
#include "policies.h"

#include <pybind11/gil_safe_call_once.h>

#include <map>

#include "conversion.h"

namespace nandscape::python {

namespace py = pybind11;

namespace {

using MakeObject = std::shared_ptr<VariantObject> (*)(py::handle policy);

// By Policy.key.
const std::map<std::string, MakeObject, std::less<>> kinds{
    {"controller.mapping.plane", &allocation_object},
    {"controller.read_retry.policy", &read_recovery_object},
    {"controller.garbage_collection.policy", &victim_selection_object},
    {"controller.refresh.policy", &refresh_object},
    {"controller.scheduler.policy", &scheduling_object},
    {"controller.write_mode", &write_mode_object},
};

py::handle base_class() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> policy;
  return policy.call_once_and_store_result([] { return py::module_::import("nandscape.policies").attr("Policy"); })
      .get_stored();
}

}  // namespace

py::object copy_of(py::handle policy) { return py::module_::import("copy").attr("deepcopy")(policy); }

void PolicyCopy::bind(const char* method) { method_ = kept(copy_of(*original_).attr(method)); }

std::string policy_name(py::handle policy) {
  const py::handle type = py::type::handle_of(policy);
  return to_text(py::str(type.attr("__module__"))) + ":" + to_text(py::str(type.attr("__qualname__")));
}

bool is_policy(py::handle object) { return py::isinstance(object, base_class()); }

std::shared_ptr<VariantObject> policy_object(py::handle policy) {
  const py::object key = py::getattr(policy, "key", py::none());
  const auto kind = py::isinstance<py::str>(key) ? kinds.find(to_text(key)) : kinds.end();
  if (kind == kinds.end()) {
    throw py::type_error(policy_name(policy) +
                         " is no policy of a kind that there is: derive from a class of nandscape.policies, such as "
                         "ReadRecovery, and leave its key as it is");
  }
  return kind->second(policy);
}

py::object policy_in(const VariantObject& object) {
  return copy_of(*dynamic_cast<const PythonPolicy&>(object).policy());
}

}  // namespace nandscape::python
