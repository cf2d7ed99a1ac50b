// SPDX-License-Identifier: Apache-2.0
#include "platform/config/schema.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

#include "platform/config/units.h"

namespace nandscape {

namespace {

class SchemaCollector final : public ParameterVisitor {
 public:
  explicit SchemaCollector(SchemaNode& root) : groups_{&root} {}

 protected:
  using Kind = SchemaNode::Kind;

  void visit_boolean(const ParameterInfo& info, bool& value) override { add(Kind::boolean, info).standard = value; }

  void visit_integer(const ParameterInfo& info, std::int64_t& value, IntegerRange range) override {
    SchemaNode& node = add(Kind::integer, info);
    node.standard = value;
    if (range.low != std::numeric_limits<std::int64_t>::min()) node.low = range.low;
    if (range.high != std::numeric_limits<std::int64_t>::max()) node.high = range.high;
  }

  void visit_real(const ParameterInfo& info, double& value, RealRange range) override {
    SchemaNode& node = add(Kind::real, info);
    node.standard = value;
    set_bounds(node, range);
  }

  void visit_text(const ParameterInfo& info, std::string& value) override { add(Kind::text, info).standard = value; }

  void visit_choice(const ParameterInfo& info, std::string& value, const std::vector<Choice>& choices) override {
    add_choices(add(Kind::choice, info), value, choices);
  }

  void visit_variant(const ParameterInfo& info, VariantChoice& value, const VariantFamily& family) override {
    const std::vector<Choice> variants = family.variants();
    add_choices(add(Kind::variant, info), value.name, variants);
    const auto outer_variant = std::move(variant_);
    const auto outer_selector = std::move(selector_);
    for (const Choice& variant : variants) {
      variant_ = variant.name;
      selector_ = info.key;
      const bool chosen = variant.name == value.name && value.parameters != nullptr;
      const std::shared_ptr<VariantParameters> parameters =
          chosen ? value.parameters : family.make_parameters(variant.name);
      parameters->visit(*this);
    }
    variant_ = outer_variant;
    selector_ = outer_selector;
  }

  void visit_reals(const ParameterInfo& info, std::vector<double>& values, RealRange range) override {
    SchemaNode& node = add(Kind::list_of_reals, info);
    node.standard = Value(Value::List(values.begin(), values.end()));
    set_bounds(node, range);
  }

  void visit_texts(const ParameterInfo& info, std::vector<std::string>& values) override {
    add(Kind::list_of_texts, info).standard = Value(Value::List(values.begin(), values.end()));
  }

  bool enter_group(const ParameterInfo& info) override {
    groups_.push_back(&add(Kind::group, info));
    outer_variants_.emplace_back(std::move(variant_), std::move(selector_));
    variant_.clear();
    selector_.clear();
    return true;
  }

  void leave_group() override {
    groups_.pop_back();
    std::tie(variant_, selector_) = std::move(outer_variants_.back());
    outer_variants_.pop_back();
  }

  // Visits one item, which describes all items of the list. It is visited even if the list is empty.
  std::size_t enter_list(const ParameterInfo& info, std::size_t) override {
    enter_group(info);
    groups_.back()->kind = Kind::list_of_groups;
    return 1;
  }
  bool enter_item(std::size_t) override { return true; }
  void leave_item() override {}
  void leave_list() override { leave_group(); }

 private:
  SchemaNode& add(Kind kind, const ParameterInfo& info) {
    SchemaNode& group = *groups_.back();
    SchemaNode& node = group.children.emplace_back();
    node.kind = kind;
    node.key = info.key;
    node.path = join_path(group.path, info.key);
    node.unit = info.unit;
    node.meaning = info.meaning;
    node.variant = variant_;
    node.selector = selector_;
    return node;
  }

  static void add_choices(SchemaNode& node, const std::string& standard, const std::vector<Choice>& choices) {
    node.standard = standard;
    for (const Choice& choice : choices) {
      node.choices.push_back({std::string(choice.name), std::string(choice.meaning)});
    }
  }

  static void set_bounds(SchemaNode& node, RealRange range) {
    if (std::isfinite(range.low)) node.low = range.low;
    if (std::isfinite(range.high)) node.high = range.high;
  }

  std::vector<SchemaNode*> groups_;
  std::string variant_;  // variant of the keys being visited
  std::string selector_;
  std::vector<std::pair<std::string, std::string>> outer_variants_;
};

std::string bound_text(const Value& bound) {
  return bound.integer() != nullptr ? std::to_string(*bound.integer()) : number_text(bound.number());
}

}  // namespace

const SchemaNode* SchemaNode::child(std::string_view child_key) const {
  for (const SchemaNode& node : children) {
    if (node.key == child_key) return &node;
  }
  return nullptr;
}

std::string SchemaNode::range_text(bool with_unit) const {
  if (kind == Kind::boolean) return "false | true";
  std::string text;
  for (const Choice& choice : choices) text += (text.empty() ? "" : " | ") + choice.name;
  if (!low.is_null() && !high.is_null()) {
    text = bound_text(low) + " .. " + bound_text(high);
  } else if (!low.is_null()) {
    text = ">= " + bound_text(low);
  } else if (!high.is_null()) {
    text = "<= " + bound_text(high);
  }
  return with_unit && !text.empty() && !unit.empty() ? text + " " + unit_symbol(unit) : text;
}

SchemaNode describe_schema(const std::function<void(ParameterVisitor&)>& description) {
  SchemaNode root;
  SchemaCollector collector(root);
  description(collector);
  return root;
}

void for_each_node(const SchemaNode& node, const std::function<void(const SchemaNode&)>& action) {
  action(node);
  for (const SchemaNode& child : node.children) for_each_node(child, action);
}

std::string join_path(std::string_view group, std::string_view key) {
  std::string path(group);
  if (!group.empty() && !key.empty()) path += '.';
  return path.append(key);
}

}  // namespace nandscape
