// SPDX-License-Identifier: Apache-2.0
#include "platform/config/schema.h"
#include "catch.h"
#include "platform/config/json_schema.h"
#include "unit/platform/drive_parameters.h"

using namespace nandscape;

TEST_CASE("the schema contains every key, including those of all variants") {
  const SchemaNode schema = schema_of<SampleDrive>();
  std::vector<std::string> paths;
  for_each_node(schema, [&](const SchemaNode& node) {
    if (!node.is_group()) paths.push_back(node.path);
  });
  CHECK(paths == std::vector<std::string>{"seed", "data", "nand.timing.t_prog_us", "nand.timing.t_bers_us",
                                          "nand.timing.t_read_us", "nand.page_bytes", "nand.spare", "collector.policy",
                                          "collector.candidates", "collector.enabled", "streams.name", "streams.depth",
                                          "streams.words"});
  const SchemaNode& candidates = *schema.child("collector")->child("candidates");
  CHECK(candidates.selector == "policy");
  CHECK(candidates.variant == "randomized_greedy");
  CHECK(schema.child("collector")->child("enabled")->variant.empty());
}

TEST_CASE("ranges are written with their unit") {
  const SchemaNode schema = schema_of<SampleDrive>();
  CHECK(schema.child("seed")->range_text(true) == ">= 0");
  CHECK(schema.child("data")->range_text(true) == "none | stored");
  CHECK(schema.child("nand")->child("page_bytes")->range_text(true) == "512 .. 262144 bytes");
  CHECK(schema.child("nand")->child("spare")->range_text(true) == "0 .. 0.5");
  CHECK(schema.child("streams")->child("name")->range_text(true).empty());
}

TEST_CASE("the JSON Schema gives types, ranges, choices, defaults and meanings") {
  const Value document = json_schema(schema_of<SampleDrive>());
  const Value& root = document.at("properties");
  CHECK(document.at("additionalProperties") == Value(false));
  CHECK(root.at("extends.type") == Value("string"));
  CHECK(root.at("data.enum") == Value(Value::List{"none", "stored"}));
  const Value& page_bytes = root.at("nand.properties.page_bytes");
  CHECK(page_bytes.at("type") == Value("integer"));
  CHECK(page_bytes.at("minimum") == Value(512));
  CHECK(page_bytes.at("maximum") == Value(262'144));
  CHECK(page_bytes.at("default") == Value(16'384));
  CHECK(page_bytes.at("description") == Value("data of a page [bytes]"));
  CHECK(root.at("streams.anyOf").list_items()->size() == 2);
}

TEST_CASE("in the JSON Schema a variant's key requires its variant") {
  const Value document = json_schema(schema_of<SampleDrive>());
  const Value& collector = document.at("properties.collector");
  CHECK(collector.at("properties.candidates.description") ==
        Value("blocks drawn for a comparison\nOnly with policy: randomized_greedy"));
  CHECK(collector.at("dependentSchemas.candidates.properties.policy.enum") == Value(Value::List{"randomized_greedy"}));
}
