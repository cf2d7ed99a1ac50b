// SPDX-License-Identifier: Apache-2.0
// The kinds of policies that can be written in Python. To add a kind, declare the function of its adapter in policies.h
// and add a line to `kinds`.
#include "policies.h"

#include <pybind11/gil_safe_call_once.h>

#include <map>
#include <utility>

#include "conversion.h"

namespace nandscape::python {

namespace py = pybind11;

namespace {

using MakeObject = std::shared_ptr<VariantObject> (*)(py::handle policy);

// The functions that wrap a policy in an object for the configuration, by the policy's configuration key.
const std::map<std::string, MakeObject, std::less<>> kinds{
    {"controller.mapping.plane", &allocation_object},
    {"controller.read_retry.policy", &read_recovery_object},
    {"controller.garbage_collection.policy", &victim_selection_object},
    {"controller.refresh.policy", &refresh_object},
    {"controller.scheduler.policy", &scheduling_object},
    {"controller.write_mode.policy", &write_mode_object},
};

py::handle base_class() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> policy;
  return policy.call_once_and_store_result([] { return py::module_::import("nandscape.policies").attr("Policy"); })
      .get_stored();
}

}  // namespace

std::optional<Py_ssize_t> integer_in(py::handle answer) {
  if (PyIndex_Check(answer.ptr()) == 0) return std::nullopt;
  const Py_ssize_t value = PyNumber_AsSsize_t(answer.ptr(), nullptr);
  if (value != -1 || PyErr_Occurred() == nullptr) return value;
  // The conversion failed, so the object is not an integer. For example, an array with several numbers passes
  // PyIndex_Check but cannot be converted.
  if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw py::error_already_set();
  PyErr_Clear();
  return std::nullopt;
}

std::optional<bool> truth_in(py::handle answer) {
  if (PyBool_Check(answer.ptr()) != 0) return answer.ptr() == Py_True;
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> type;
  const py::object& numpy_bool =
      type.call_once_and_store_result([] { return py::module_::import("numpy").attr("bool_"); }).get_stored();
  if (py::isinstance(answer, numpy_bool)) return PyObject_IsTrue(answer.ptr()) == 1;
  const std::optional<Py_ssize_t> integer = integer_in(answer);
  return integer ? std::optional(*integer != 0) : std::nullopt;
}

bool flag_of(py::handle policy, const char* name) {
  const py::object value = policy.attr(name);
  if (const std::optional<bool> flag = truth_in(value)) return *flag;
  throw py::type_error(policy_name(policy) + "." + name + " is " + shown(value) + "; it is True or False");
}

py::object seen_age(const controller::BlockAge& block) {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> type;
  const py::object& age =
      type.call_once_and_store_result([] { return py::module_::import("nandscape.policies").attr("BlockAge"); })
          .get_stored();
  return age(block.age_hours, block.pe_cycles, block.reads_since_program, block.erases);
}

py::object copy_of(py::handle policy) {
  py::object copy = py::module_::import("copy").attr("deepcopy")(policy);
  if (is_policy(copy) && copy.attr("key").equal(policy.attr("key"))) return copy;
  throw py::type_error(policy_name(policy) + ".__deepcopy__() returned " + shown(copy) +
                       "; it returns a policy of the same kind");
}

const py::object& PolicyCopy::bound_method(const char* method) {
  for (const auto& [name, bound] : methods_) {
    if (name == method) return *bound;
  }
  if (copy_ == nullptr) copy_ = kept(copy_of(*original_));
  return *methods_.emplace_back(method, kept(copy_->attr(method))).second;
}

void PolicyCopy::raise_from(const char* method) const {
  py::error_already_set raised;
  try {
    raised.value().attr("add_note")("raised by " + name_ + "." + method + "(), a policy of the simulation");
  } catch (const py::error_already_set&) {
    // The exception does not accept notes, so it is thrown without one.
  }
  throw raised;
}

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
                         " is not a known kind of policy: derive from a class of nandscape.policies, such as "
                         "ReadRecovery, and do not change its key");
  }
  return kind->second(policy);
}

py::object policy_in(const VariantObject& object) {
  return copy_of(*dynamic_cast<const PythonPolicy&>(object).policy());
}

}  // namespace nandscape::python
