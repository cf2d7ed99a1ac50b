// SPDX-License-Identifier: Apache-2.0
// Sets parameters by their configuration keys, for example assign(parameters, {{"kind", "trace"}, {"path", file}}). The
// key of a list item contains the index of the item: "block_mix.0.weight". A list of numbers is given as one string,
// with spaces between the numbers: "10 20.5". The test fails if no parameter has one of the keys.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "core/parameters.h"

namespace nandscape {

class ParameterAssigner final : public ParameterVisitor {
 public:
  explicit ParameterAssigner(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  void check_all_used() const {
    for (const auto& [key, value] : values_) {
      INFO("no parameter is named " << key);
      CHECK(used_.count(key) == 1);
    }
  }

 protected:
  void visit_boolean(const ParameterInfo& info, bool& value) override {
    if (const std::string* text = find(info)) value = *text == "true";
  }
  void visit_integer(const ParameterInfo& info, std::int64_t& value, IntegerRange) override {
    if (const std::string* text = find(info)) value = std::stoll(*text);
  }
  void visit_real(const ParameterInfo& info, double& value, RealRange) override {
    if (const std::string* text = find(info)) value = std::stod(*text);
  }
  void visit_text(const ParameterInfo& info, std::string& value) override {
    if (const std::string* text = find(info)) value = *text;
  }
  void visit_choice(const ParameterInfo& info, std::string& value, const std::vector<Choice>&) override {
    if (const std::string* text = find(info)) value = *text;
  }
  void visit_variant(const ParameterInfo& info, VariantChoice& value, const VariantFamily& family) override {
    if (const std::string* text = find(info)) value.name = *text;
    value.parameters = family.make_parameters(value.name);
    value.parameters->visit(*this);
  }
  void visit_reals(const ParameterInfo& info, std::vector<double>& values, RealRange) override {
    const std::string* text = find(info);
    if (text == nullptr) return;
    values.clear();
    std::istringstream numbers(*text);
    for (double number = 0; numbers >> number;) values.push_back(number);
  }

  // Strings of a list are separated by spaces.
  void visit_texts(const ParameterInfo& info, std::vector<std::string>& values) override {
    const std::string* text = find(info);
    if (text == nullptr) return;
    values.clear();
    std::istringstream words(*text);
    for (std::string word; words >> word;) values.push_back(word);
  }

  bool enter_group(const ParameterInfo& info) override {
    prefix_ += std::string(info.key) + ".";
    return true;
  }
  void leave_group() override { prefix_.erase(prefix_.rfind('.', prefix_.size() - 2) + 1); }

  std::size_t enter_list(const ParameterInfo& info, std::size_t) override {
    list_prefix_ = prefix_ + std::string(info.key) + ".";
    std::size_t count = 0;
    while (has_item(list_prefix_ + std::to_string(count) + ".")) ++count;
    return count;
  }
  bool enter_item(std::size_t index) override {
    outer_prefix_ = std::exchange(prefix_, list_prefix_ + std::to_string(index) + ".");
    return true;
  }
  void leave_item() override { prefix_ = outer_prefix_; }
  void leave_list() override {}

 private:
  const std::string* find(const ParameterInfo& info) {
    const auto entry = values_.find(prefix_ + std::string(info.key));
    if (entry == values_.end()) return nullptr;
    used_.insert(entry->first);
    return &entry->second;
  }

  bool has_item(const std::string& prefix) const {
    const auto entry = values_.lower_bound(prefix);
    return entry != values_.end() && entry->first.starts_with(prefix);
  }

  std::map<std::string, std::string> values_;
  std::set<std::string> used_;
  std::string prefix_;
  std::string list_prefix_;
  std::string outer_prefix_;
};

template <Describable T>
void assign(T& parameters, std::map<std::string, std::string> values) {
  ParameterAssigner assigner(std::move(values));
  describe(parameters, assigner);
  assigner.check_all_used();
}

}  // namespace nandscape
