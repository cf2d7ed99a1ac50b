// SPDX-License-Identifier: Apache-2.0
// Adapts nandscape.policies.VictimSelection to VictimPolicy.
#include <pybind11/gil_safe_call_once.h>
#include <pybind11/numpy.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/migration/garbage_collection/victim_policy.h"
#include "conversion.h"
#include "policies.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace controller;

namespace {

class PythonVictimSelection final : public VictimPolicy {
 public:
  struct Facts {
    explicit Facts(py::handle policy) : type(policy_name(policy)) {}

    std::string type;
  };

  PythonVictimSelection(const KeptObject& policy, const Facts& facts, std::uint64_t /*seed*/)
      : facts_(facts), policy_(policy, facts.type) {}

  Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick now) override {
    candidates_.clear();
    const FtlGeometry& geometry = blocks.geometry();
    for (std::uint32_t index = 0; index < geometry.blocks_per_plane(); ++index) {
      const Superblock block = geometry.block(plane, index);
      if (collectable(blocks, block)) candidates_.push_back(block);
    }
    if (candidates_.empty()) return Superblock();
    const InPolicy asked;
    const py::object answer = policy_.ask("choose", seen(blocks, plane, now));
    return candidates_[index_of(answer)];
  }

 private:
  template <class T, class Value>
  py::array_t<T> column(Value value) const {
    py::array_t<T> array(static_cast<py::ssize_t>(candidates_.size()));
    T* to = array.mutable_data();
    for (const Superblock block : candidates_) *to++ = value(block);
    return array;
  }

  py::object seen(const BlockTable& blocks, FtlPlane plane, Tick now) const {
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> type;
    const py::object& candidates =
        type.call_once_and_store_result([] { return py::module_::import("nandscape.policies").attr("Candidates"); })
            .get_stored();
    const FtlGeometry& geometry = blocks.geometry();
    const std::uint32_t first = geometry.block(plane, 0).value;
    return candidates(plane.value, now, geometry.units_per_block(),
                      column<std::uint32_t>([&](Superblock b) { return b.value - first; }),
                      column<std::uint32_t>([&](Superblock b) { return blocks.valid_pages(b); }),
                      column<std::uint32_t>([&](Superblock b) { return blocks.erase_count(b); }),
                      column<std::uint64_t>([&](Superblock b) { return blocks.last_written(b); }));
  }

  std::size_t index_of(py::handle answer) const {
    const std::optional<Py_ssize_t> index = integer_in(answer);
    if (!index) {
      throw py::type_error(facts_.type + ".choose() returned " + shown(answer) +
                           "; it returns the index of a candidate, an int");
    }
    if (*index >= 0 && static_cast<std::size_t>(*index) < candidates_.size()) return static_cast<std::size_t>(*index);
    throw py::value_error(facts_.type + ".choose() returned " + shown(answer) + "; the candidates are 0 to " +
                          std::to_string(candidates_.size() - 1));
  }

  const Facts facts_;
  PolicyCopy policy_;
  std::vector<Superblock> candidates_;
};

}  // namespace

std::shared_ptr<VariantObject> victim_selection_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonVictimSelection, VictimRegistry>>(policy, victim_registry());
}

}  // namespace nandscape::python
