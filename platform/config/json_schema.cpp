// SPDX-License-Identifier: Apache-2.0
#include "platform/config/json_schema.h"

#include <string>

#include "platform/config/units.h"

namespace nandscape {

namespace {

using Kind = SchemaNode::Kind;

std::string description_of(const SchemaNode& node) {
  std::string text = node.meaning;
  if (!node.unit.empty()) text += " [" + unit_symbol(node.unit) + "]";
  for (const SchemaNode::Choice& choice : node.choices) {
    text += "\n" + choice.name + (choice.meaning.empty() ? "" : ": " + choice.meaning);
  }
  if (!node.variant.empty()) text += "\nOnly with " + node.selector + ": " + node.variant;
  return text;
}

Value number_schema(const SchemaNode& node, const char* type) {
  Value schema = Value::map();
  schema["type"] = type;
  if (!node.low.is_null()) schema["minimum"] = node.low;
  if (!node.high.is_null()) schema["maximum"] = node.high;
  return schema;
}

Value group_schema(const SchemaNode& group);

Value type_schema(const SchemaNode& node) {
  Value schema = Value::map();
  switch (node.kind) {
    case Kind::group: return group_schema(node);
    case Kind::list_of_groups: {
      Value list = Value::map();
      list["type"] = "array";
      list["items"] = group_schema(node);
      schema["anyOf"] = Value::List{group_schema(node), list};
      return schema;
    }
    case Kind::boolean: schema["type"] = "boolean"; return schema;
    case Kind::integer: return number_schema(node, "integer");
    case Kind::real: return number_schema(node, "number");
    case Kind::text: schema["type"] = "string"; return schema;
    case Kind::choice:
    case Kind::variant: {
      Value& names = schema["enum"] = Value::list();
      for (const SchemaNode::Choice& choice : node.choices) names.list_items()->emplace_back(choice.name);
      return schema;
    }
    case Kind::list_of_reals:
      schema["type"] = "array";
      schema["items"] = number_schema(node, "number");
      return schema;
    case Kind::list_of_texts: {
      Value text = Value::map();
      text["type"] = "string";
      schema["anyOf"] = Value::List{text, Value::map()};
      Value& list = schema["anyOf"].list_items()->back();
      list["type"] = "array";
      list["items"] = text;
      return schema;
    }
  }
  return schema;
}

Value property_schema(const SchemaNode& node) {
  Value schema = type_schema(node);
  schema["description"] = description_of(node);
  if (!node.is_group()) schema["default"] = node.standard;
  return schema;
}

// Adds the schema of a key. If several variants have a key of the same name, a value is valid if it has the form of any
// of them.
void add_property(Value& properties, const SchemaNode& node) {
  Value* present = properties.find(node.key);
  if (present == nullptr) {
    properties[node.key] = property_schema(node);
    return;
  }
  if (present->find("anyOf") == nullptr || node.kind == Kind::list_of_groups) {
    Value forms = Value::map();
    forms["anyOf"] = Value::List{*present};
    *present = forms;
  }
  present->find("anyOf")->list_items()->push_back(property_schema(node));
}

// Adds the condition that the key is given only with a variant that has it: {selector: {enum: [variants that have the
// key]}}.
void add_variant_condition(Value& conditions, const SchemaNode& node) {
  Value& variants = conditions[node.key]["properties"][node.selector]["enum"];
  if (variants.is_null()) variants = Value::list();
  variants.list_items()->emplace_back(node.variant);
}

Value group_schema(const SchemaNode& group) {
  Value schema = Value::map();
  // A group whose keys are all commented out is read as null, which is allowed.
  schema["type"] = Value::List{"object", "null"};
  schema["additionalProperties"] = false;
  Value properties = Value::map();
  Value conditions = Value::map();
  for (const SchemaNode& node : group.children) {
    add_property(properties, node);
    if (!node.variant.empty()) add_variant_condition(conditions, node);
  }
  schema["properties"] = properties;
  if (!conditions.map_items()->empty()) schema["dependentSchemas"] = conditions;
  return schema;
}

}  // namespace

Value json_schema(const SchemaNode& schema) {
  Value document = Value::map();
  document["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  document["title"] = "nandscape configuration";
  const Value root = group_schema(schema);
  for (const auto& [key, value] : *root.map_items()) document[key] = value;
  Value& extends = document["properties"]["extends"];
  extends["type"] = "string";
  extends["description"] = "the preset, or the path of a file relative to this one, that this file extends";
  return document;
}

}  // namespace nandscape
