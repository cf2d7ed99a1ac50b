// SPDX-License-Identifier: Apache-2.0
// The parameter schema. A block declares each of its parameters once, next to the struct that holds their values:
//
//   struct SchedulerParameters {
//     double t_suspend_us = 20;
//     std::uint32_t starvation_limit = 16;
//   };
//   void describe(SchedulerParameters& p, ParameterVisitor& v) {
//     v.real("t_suspend_us", p.t_suspend_us, {0, 1000}, "us", "time from the suspend command to an idle array");
//     v.integer("starvation_limit", p.starvation_limit, {1, 1'000'000}, "", "reads served before one waiting write");
//   }
//
// The initialiser is the default value. Different visitors use the same description to read and check YAML files, to
// write the resolved configuration, to print the output of `nandscape params`, and to generate the JSON Schema.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace nandscape {

class ParameterVisitor;

template <class T>
concept Describable = requires(T& parameters, ParameterVisitor& visitor) {
  describe(parameters, visitor);
};

// The description of a parameter, without its value. The unit is spelt as in the suffix of the key, for example us, ns,
// bytes, mt_s or mib.
struct ParameterInfo {
  std::string_view key;
  std::string_view unit;
  std::string_view meaning;
};

struct IntegerRange {
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

struct RealRange {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
};

struct Choice {
  std::string_view name;
  std::string_view meaning;
};

// The parameters of one variant of a policy family. The base class hides their type.
class VariantParameters {
 public:
  virtual ~VariantParameters() = default;
  virtual void visit(ParameterVisitor& visitor) = 0;
};

// The variants of a policy family, as the code that reads configurations needs them. Registry implements it
// (core/registry.h).
class VariantFamily {
 public:
  virtual std::string_view family() const = 0;
  virtual std::vector<Choice> variants() const = 0;
  virtual bool contains(std::string_view variant) const = 0;
  virtual std::unique_ptr<VariantParameters> make_parameters(std::string_view variant) const = 0;

 protected:
  ~VariantFamily() = default;
};

// A chosen variant: its name and its parameters. If `parameters` is null, the variant has its default parameters.
struct VariantChoice {
  std::string name;
  std::shared_ptr<VariantParameters> parameters;
};

class ParameterVisitor {
 public:
  virtual ~ParameterVisitor() = default;

  void boolean(std::string_view key, bool& value, std::string_view meaning) {
    visit_boolean({key, "", meaning}, value);
  }

  template <std::integral T>
  void integer(std::string_view key, T& value, IntegerRange range, std::string_view unit, std::string_view meaning) {
    auto wide = static_cast<std::int64_t>(value);
    if constexpr (sizeof(T) < sizeof(std::int64_t)) {
      if (range.high > static_cast<std::int64_t>(std::numeric_limits<T>::max())) {
        range.high = static_cast<std::int64_t>(std::numeric_limits<T>::max());
      }
    }
    visit_integer({key, unit, meaning}, wide, range);
    value = static_cast<T>(wide);
  }

  void real(std::string_view key, double& value, RealRange range, std::string_view unit, std::string_view meaning) {
    visit_real({key, unit, meaning}, value, range);
  }

  void text(std::string_view key, std::string& value, std::string_view meaning) {
    visit_text({key, "", meaning}, value);
  }

  // A string that must be one of the names in `choices`.
  void choice(std::string_view key, std::string& value, const std::vector<Choice>& choices, std::string_view meaning) {
    visit_choice({key, "", meaning}, value, choices);
  }

  // A choice that is stored as an enumeration. The values of the enumeration must count from 0 in the order of
  // `choices`.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void choice(std::string_view key, Enum& value, const std::vector<Choice>& choices, std::string_view meaning) {
    std::string name(choices.at(static_cast<std::size_t>(value)).name);
    visit_choice({key, "", meaning}, name, choices);
    for (std::size_t k = 0; k < choices.size(); ++k) {
      if (choices[k].name == name) value = static_cast<Enum>(k);
    }
  }

  // A variant of a policy family. The parameters of the variant itself are keys of the same group as `key`.
  void variant(std::string_view key, VariantChoice& value, const VariantFamily& family, std::string_view meaning) {
    visit_variant({key, "", meaning}, value, family);
  }

  // A list of numbers that all have the same meaning, unit and range.
  void reals(std::string_view key, std::vector<double>& values, RealRange range, std::string_view unit,
             std::string_view meaning) {
    visit_reals({key, unit, meaning}, values, range);
  }

  // A list of strings that all have the same meaning. A configuration may give a single string instead of a list with
  // one element.
  void texts(std::string_view key, std::vector<std::string>& values, std::string_view meaning) {
    visit_texts({key, "", meaning}, values);
  }

  // Declares that the given keys or subgroups of the current group have no effect if `unread` is true. `because` states
  // the choice in the group that disables them, for example "policy is none". Visitors that read or write values ignore
  // this declaration.
  virtual void unread_if(bool /*unread*/, std::initializer_list<std::string_view> /*keys*/,
                         std::string_view /*because*/) {}

  template <Describable T>
  void group(std::string_view key, T& parameters, std::string_view meaning) {
    if (enter_group({key, "", meaning})) {
      describe(parameters, *this);
      leave_group();
    }
  }

  // A list of groups. A configuration may give a single group instead of a list with one element.
  template <Describable T>
  void groups(std::string_view key, std::vector<T>& items, std::string_view meaning) {
    const std::size_t count = enter_list({key, "", meaning}, items.size());
    items.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      if (enter_item(k)) {
        describe(items[k], *this);
        leave_item();
      }
    }
    leave_list();
  }

 protected:
  virtual void visit_boolean(const ParameterInfo& info, bool& value) = 0;
  virtual void visit_integer(const ParameterInfo& info, std::int64_t& value, IntegerRange range) = 0;
  virtual void visit_real(const ParameterInfo& info, double& value, RealRange range) = 0;
  virtual void visit_text(const ParameterInfo& info, std::string& value) = 0;
  virtual void visit_choice(const ParameterInfo& info, std::string& value, const std::vector<Choice>& choices) = 0;
  virtual void visit_variant(const ParameterInfo& info, VariantChoice& value, const VariantFamily& family) = 0;
  virtual void visit_reals(const ParameterInfo& info, std::vector<double>& values, RealRange range) = 0;
  virtual void visit_texts(const ParameterInfo& info, std::vector<std::string>& values) = 0;

  // Each enter_ function returns true if the contents are to be visited. The matching leave_ function is called only in
  // this case.
  virtual bool enter_group(const ParameterInfo& info) = 0;
  virtual void leave_group() = 0;
  // Returns the number of items that the list must have when its items are visited.
  virtual std::size_t enter_list(const ParameterInfo& info, std::size_t size) = 0;
  virtual bool enter_item(std::size_t index) = 0;
  virtual void leave_item() = 0;
  virtual void leave_list() = 0;
};

}  // namespace nandscape
