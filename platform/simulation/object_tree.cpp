// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/object_tree.h"

#include <systemc>

namespace nandscape {

namespace {

Value tree_of(const std::vector<sc_core::sc_object*>& objects) {
  Value::List list;
  for (const sc_core::sc_object* object : objects) {
    const std::string_view kind = object->kind();
    const bool shown = kind == "sc_module" || kind.find("socket") != std::string_view::npos;
    if (!shown) continue;
    Value entry = Value::map();
    entry["name"] = object->basename();
    entry["kind"] = kind;
    entry["children"] = tree_of(object->get_child_objects());
    list.push_back(std::move(entry));
  }
  return Value(std::move(list));
}

}  // namespace

Value object_tree(const KernelContext& context) { return tree_of(context.objects()); }

}  // namespace nandscape
