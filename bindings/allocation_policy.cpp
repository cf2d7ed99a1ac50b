// SPDX-License-Identifier: Apache-2.0
// Adapts a Python allocation policy (nandscape.policies.Allocation) to the C++ interface AllocationPolicy. One answer
// of the policy may name the planes of several pages; the policy is called again when these planes are used up.
#include "controller/mapping/allocation_policy.h"

#include <pybind11/gil_safe_call_once.h>
#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conversion.h"
#include "policies.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace controller;

namespace {

// Makes `array` read-only for the policy.
template <class T>
py::array_t<T> read_only(py::array_t<T> array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

class PythonAllocation final : public AllocationPolicy {
 public:
  struct Facts {
    explicit Facts(py::handle policy) : type(policy_name(policy)), gathers(flag_of(policy, "gathers")) {}

    std::string type;
    bool gathers;
  };

  PythonAllocation(const KeptObject& policy, const Facts& facts, std::uint32_t planes)
      : facts_(facts), policy_(policy, facts.type), turns_(planes) {}

  bool gathers() const override { return facts_.gathers; }

  FtlPlane choose(const NewUnit& unit, const PlaneView& planes) override {
    if (ahead_.size() <= unit.stream) ahead_.resize(unit.stream + std::size_t{1});
    Ahead& ahead = ahead_[unit.stream];
    while (ahead.next < ahead.planes.size()) {
      const FtlPlane plane = ahead.planes[ahead.next++];
      if (planes.has_room(plane)) return plane;
    }
    const FtlPlane first = unit.last.valid() ? planes.next(unit.last) : unit.by_address;
    with_room_.clear();
    FtlPlane plane = first;
    for (std::uint32_t k = 0; k < planes.count(); ++k, plane = planes.next(plane)) {
      if (planes.has_room(plane)) with_room_.push_back(plane);
    }
    if (with_room_.empty()) return FtlPlane();
    const InPolicy asked;
    see(planes);
    const py::object answer = policy_.ask("choose", seen(unit, planes, first), *planes_);
    if (is_sequence(answer)) {
      read_planes(answer, planes, ahead);
      return ahead.planes[ahead.next++];
    }
    return plane_of(answer, answer, planes);
  }

 private:
  // The planes that the policy has named in advance for the next pages of a stream.
  struct Ahead {
    std::vector<FtlPlane> planes;
    std::size_t next = 0;
  };

  // The largest number of planes that one answer may name. Without this limit, reading an endless sequence would never
  // end.
  static constexpr std::size_t most_ahead = 1'000'000;

  static py::object type_of(const char* name) { return py::module_::import("nandscape.policies").attr(name); }

  // Copies the backlog of each plane to the array in `planes_`, which the policy sees. The first call creates
  // `planes_`.
  void see(const PlaneView& planes) {
    if (planes_ == nullptr) {
      py::array_t<std::uint32_t> backlog(static_cast<py::ssize_t>(planes.count()));
      backlog_ = backlog.mutable_data();
      planes_ = kept(type_of("Planes")(column(planes, [&](FtlPlane p) { return planes.channel(p); }),
                                       column(planes, [&](FtlPlane p) { return planes.die(p); }), read_only(backlog)));
    }
    for (std::uint32_t k = 0; k < planes.count(); ++k) backlog_[k] = planes.backlog(FtlPlane(k));
  }

  // Returns an array with the channel or the die of each plane, as given by `place_of`. The entry is -1 for a plane
  // that spans several channels or dies.
  template <class PlaceOf>
  static py::array_t<std::int32_t> column(const PlaneView& planes, PlaceOf place_of) {
    py::array_t<std::int32_t> places(static_cast<py::ssize_t>(planes.count()));
    for (std::uint32_t k = 0; k < planes.count(); ++k) {
      const auto place = place_of(FtlPlane(k));
      places.mutable_at(k) = place.valid() ? static_cast<std::int32_t>(place.value) : -1;
    }
    return read_only(std::move(places));
  }

  py::object seen(const NewUnit& unit, const PlaneView& planes, FtlPlane first) {
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> type;
    const py::object& new_unit = type.call_once_and_store_result([] { return type_of("NewUnit"); }).get_stored();
    const py::object last = unit.last.valid() ? py::object(py::int_(unit.last.value)) : py::object(py::none());
    return new_unit(unit.lpn.value, unit.stream, planes.with_room(unit.by_address).value, last, in_turn(planes, first));
  }

  // Returns an array of the planes that have room, in order from `first`. If all planes have room, the array depends
  // only on `first` and is cached in `turns_`.
  py::object in_turn(const PlaneView& planes, FtlPlane first) {
    const auto make = [&] {
      py::array_t<py::ssize_t> array(static_cast<py::ssize_t>(with_room_.size()));
      py::ssize_t* to = array.mutable_data();
      for (const FtlPlane plane : with_room_) *to++ = plane.value;
      return read_only(std::move(array));
    };
    if (with_room_.size() < planes.count()) return make();
    KeptObject& known = turns_[first.value];
    if (known == nullptr) known = kept(make());
    return *known;
  }

  // Returns whether the policy's answer is a sequence of planes and not the number of one plane. Arrays are tested
  // first, because a numpy array with one element also passes PyIndex_Check, the test for an integer.
  static bool is_sequence(py::handle answer) {
    if (py::isinstance<py::array>(answer)) return true;
    return PyIndex_Check(answer.ptr()) == 0 && PySequence_Check(answer.ptr()) != 0;
  }

  void read_planes(const py::object& answer, const PlaneView& planes, Ahead& ahead) const {
    ahead.planes.clear();
    ahead.next = 0;
    try {
      for (const py::handle item : py::iter(answer)) {
        if (ahead.planes.size() == most_ahead) {
          throw py::value_error(facts_.type + ".choose() returned more than " + std::to_string(most_ahead) +
                                " planes at once; it is called again when those planes are used up");
        }
        ahead.planes.push_back(plane_of(item, answer, planes));
      }
    } catch (const py::error_already_set& error) {
      if (!error.matches(PyExc_Exception)) throw;
      throw py::type_error(facts_.type + ".choose() returned " + shown(answer) + ", whose iteration raised " +
                           shown(error.value()));
    }
    if (!ahead.planes.empty()) return;
    throw py::value_error(facts_.type + ".choose() returned " + shown(answer) +
                          ", which names no plane; unit.in_turn holds the planes with room");
  }

  FtlPlane plane_of(py::handle item, py::handle answer, const PlaneView& planes) const {
    const std::optional<Py_ssize_t> given = integer_in(item);
    if (!given) {
      throw py::type_error(facts_.type + ".choose() returned " + shown(answer) +
                           "; it returns the number of a plane, an int, or several of them for the next pages of the "
                           "stream");
    }
    const Py_ssize_t number = *given;
    if (number < 0 || static_cast<std::size_t>(number) >= planes.count()) {
      throw py::value_error(facts_.type + ".choose() returned " + shown(answer) + "; the planes are 0 to " +
                            std::to_string(planes.count() - 1));
    }
    const FtlPlane plane(static_cast<std::uint32_t>(number));
    if (planes.has_room(plane)) return plane;
    throw py::value_error(facts_.type + ".choose() returned " + shown(answer) + ", and plane " +
                          std::to_string(number) + " has no room; unit.in_turn holds the planes with room");
  }

  const Facts facts_;
  PolicyCopy policy_;
  std::vector<Ahead> ahead_;          // by stream
  std::vector<FtlPlane> with_room_;   // in turn; filled by choose()
  KeptObject planes_;                 // nandscape.policies.Planes, passed to the policy
  std::uint32_t* backlog_ = nullptr;  // elements of the array in planes_
  std::vector<KeptObject> turns_;     // cached results of in_turn(), by first plane
};

}  // namespace

std::shared_ptr<VariantObject> allocation_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonAllocation, AllocationRegistry>>(policy, allocation_registry());
}

}  // namespace nandscape::python
