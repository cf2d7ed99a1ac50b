// SPDX-License-Identifier: Apache-2.0
#include "requests.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "host/workloads/given/pulled_requests.h"
#include "host/workloads/given/request_columns.h"
#include "interruptible.h"
#include "kept_object.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

using Columns = std::shared_ptr<host::ColumnSupply>;

template <class T>
std::vector<T> to_vector(const py::array_t<T>& array) {
  return {array.data(), array.data() + array.size()};
}

template <class T>
std::vector<T> to_vector(const std::optional<py::array_t<T>>& array) {
  return array ? to_vector(*array) : std::vector<T>();
}

Columns make_columns(const py::array_t<std::uint8_t>& operation, const py::array_t<std::uint64_t>& offset_bytes,
                     const py::array_t<std::uint64_t>& size_bytes,
                     const std::optional<py::array_t<std::uint64_t>>& time,
                     const std::optional<py::array_t<std::uint8_t>>& fua) {
  host::RequestColumns columns;
  columns.operation.reserve(static_cast<std::size_t>(operation.size()));
  for (const std::uint8_t code : to_vector(operation))
    columns.operation.push_back(static_cast<host::RequestKind>(code));
  columns.offset_bytes = to_vector(offset_bytes);
  columns.size_bytes = to_vector(size_bytes);
  columns.time = to_vector(time);
  columns.fua = to_vector(fua);
  return std::make_shared<host::ColumnSupply>(std::move(columns));
}

// Returns the getter of a property that shows a column as a read-only array. The array shares the memory of its owner.
// The value is None for a column that was omitted.
template <class Shown, class T>
auto column(std::vector<T> host::RequestColumns::*member) {
  static_assert(sizeof(Shown) == sizeof(T));
  return [member](const py::object& owner) -> py::object {
    const std::vector<T>& values = owner.cast<const host::ColumnSupply&>().columns().*member;
    if (values.empty()) return py::none();
    py::array_t<Shown> array(static_cast<py::ssize_t>(values.size()), reinterpret_cast<const Shown*>(values.data()),
                             owner);
    array.attr("flags").attr("writeable") = false;
    return array;
  };
}

// Pulls requests from a Python callable, which `begin_` creates. It is created at the first pull, since its creation
// may run user code.
class Puller {
 public:
  Puller(KeptObject begin, bool timed) : begin_(std::move(begin)), timed_(timed) {}

  host::Pulled operator()() {
    const WayIntoPython way;
    const py::gil_scoped_acquire acquired;
    if (next_ == nullptr) next_ = kept((*begin_)(timed_));
    const py::object item = (*next_)();
    host::Pulled pulled;
    if (item.is_none()) return pulled;
    if (py::isinstance<host::ColumnSupply>(item)) {
      pulled.what = host::Pulled::What::batch;
      pulled.columns = item.cast<const host::ColumnSupply&>().columns();
      return pulled;
    }
    const auto [operation, offset_bytes, size_bytes, fua, time] =
        item.cast<std::tuple<std::uint8_t, std::uint64_t, std::uint64_t, bool, Tick>>();
    pulled.what = host::Pulled::What::request;
    pulled.request = {static_cast<host::RequestKind>(operation), offset_bytes, size_bytes, fua};
    pulled.time = time;
    return pulled;
  }

 private:
  KeptObject begin_;
  bool timed_;
  KeptObject next_;
};

class PulledSupply final : public host::RequestSupply {
 public:
  explicit PulledSupply(py::object begin) : begin_(kept(std::move(begin))) {}

  std::unique_ptr<host::WorkloadSource> open(const host::WorkloadContext& context) const override {
    return std::make_unique<host::PulledSource>(Puller(begin_, context.open_loop), context);
  }
  bool calls_back() const override { return true; }

 private:
  KeptObject begin_;
};

}  // namespace

void bind_requests_given(py::module_& m) {
  py::class_<host::ColumnSupply, Columns>(m, "RequestColumns")
      .def(py::init(&make_columns), "operation"_a, "offset_bytes"_a, "size_bytes"_a, "time"_a, "fua"_a)
      .def("__len__", [](const host::ColumnSupply& supply) { return supply.columns().size(); })
      .def_property_readonly("operation", column<std::uint8_t>(&host::RequestColumns::operation))
      .def_property_readonly("offset_bytes", column<std::uint64_t>(&host::RequestColumns::offset_bytes))
      .def_property_readonly("size_bytes", column<std::uint64_t>(&host::RequestColumns::size_bytes))
      .def_property_readonly("time", column<std::uint64_t>(&host::RequestColumns::time))
      .def_property_readonly("fua", column<std::uint8_t>(&host::RequestColumns::fua));
}

host::RequestSupplies to_supplies(const py::dict& given) {
  host::RequestSupplies supplies;
  for (const auto& [name, requests] : given) {
    const auto of_name = name.cast<std::string>();
    if (py::isinstance<host::ColumnSupply>(requests)) {
      supplies.emplace(of_name, requests.cast<Columns>());
    } else {
      supplies.emplace(of_name, std::make_shared<PulledSupply>(py::reinterpret_borrow<py::object>(requests)));
    }
  }
  return supplies;
}

}  // namespace nandscape::python
