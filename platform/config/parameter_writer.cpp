// SPDX-License-Identifier: Apache-2.0
#include "platform/config/parameter_writer.h"

#include <string>
#include <utility>
#include <vector>

namespace nandscape {

namespace {

// Visits parameters and writes them to a tree. Groups are completed from the inside to the outside: the last element of
// `open_` is the group that is being written.
class ParameterWriter final : public ParameterVisitor {
 public:
  Value take() { return std::move(open_.back()); }

 protected:
  void visit_boolean(const ParameterInfo& info, bool& value) override { put(info, value); }
  void visit_integer(const ParameterInfo& info, std::int64_t& value, IntegerRange) override { put(info, value); }
  void visit_real(const ParameterInfo& info, double& value, RealRange) override { put(info, value); }
  void visit_text(const ParameterInfo& info, std::string& value) override { put(info, value); }
  void visit_choice(const ParameterInfo& info, std::string& value, const std::vector<Choice>&) override {
    put(info, value);
  }

  void visit_variant(const ParameterInfo& info, VariantChoice& value, const VariantFamily& family) override {
    put(info, value.name);
    if (value.parameters == nullptr) value.parameters = family.make_parameters(value.name);
    value.parameters->visit(*this);
  }

  void visit_reals(const ParameterInfo& info, std::vector<double>& values, RealRange) override {
    put(info, Value(Value::List(values.begin(), values.end())));
  }

  void visit_texts(const ParameterInfo& info, std::vector<std::string>& values) override {
    put(info, Value(Value::List(values.begin(), values.end())));
  }

  bool enter_group(const ParameterInfo& info) override {
    keys_.emplace_back(info.key);
    open_.push_back(Value::map());
    return true;
  }
  void leave_group() override { put_under_last_key(close()); }

  std::size_t enter_list(const ParameterInfo& info, std::size_t size) override {
    keys_.emplace_back(info.key);
    open_.push_back(Value::list());
    return size;
  }
  bool enter_item(std::size_t) override {
    open_.push_back(Value::map());
    return true;
  }
  void leave_item() override {
    Value item = close();
    open_.back().list_items()->push_back(std::move(item));
  }
  void leave_list() override {
    Value list = close();
    Value::List& items = *list.list_items();
    put_under_last_key(items.size() == 1 ? std::move(items.front()) : std::move(list));
  }

 private:
  void put(const ParameterInfo& info, Value value) { open_.back()[info.key] = std::move(value); }

  void put_under_last_key(Value value) {
    open_.back()[keys_.back()] = std::move(value);
    keys_.pop_back();
  }

  Value close() {
    Value value = std::move(open_.back());
    open_.pop_back();
    return value;
  }

  std::vector<Value> open_ = {Value::map()};
  std::vector<std::string> keys_;
};

}  // namespace

Value write_parameters(const std::function<void(ParameterVisitor&)>& description) {
  ParameterWriter writer;
  description(writer);
  return writer.take();
}

}  // namespace nandscape
