// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <string>

#include "catch.h"
#include "platform/config/yaml_reader.h"
#include "platform/config/yaml_scalar.h"
#include "platform/config/yaml_writer.h"

using namespace nandscape;
using Catch::Matchers::Equals;

namespace {

Value read(const std::string& text) { return read_yaml(text, {"drive.yaml", 1}); }

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("plain scalars follow the core schema of YAML 1.2") {
  CHECK(resolve_scalar("") == Value());
  CHECK(resolve_scalar("~") == Value());
  CHECK(resolve_scalar("null") == Value());
  CHECK(resolve_scalar("True") == Value(true));
  CHECK(resolve_scalar("42") == Value(42));
  CHECK(resolve_scalar("-42") == Value(-42));
  CHECK(resolve_scalar("+42") == Value(42));
  CHECK(resolve_scalar("012") == Value(12));
  CHECK(resolve_scalar("0o17") == Value(15));
  CHECK(resolve_scalar("0xff") == Value(255));
  CHECK(resolve_scalar("1_000_000") == Value(1'000'000));
  CHECK(resolve_scalar("9223372036854775807") == Value(std::numeric_limits<std::int64_t>::max()));
  CHECK(resolve_scalar("1e6") == Value(1e6));
  CHECK(resolve_scalar("-.5") == Value(-0.5));
  CHECK(resolve_scalar("18446744073709551616") == Value(18446744073709551616.0));
  CHECK(resolve_scalar("-.inf") == Value(-std::numeric_limits<double>::infinity()));
  CHECK(std::isnan(*resolve_scalar(".nan").real()));
}

TEST_CASE("text that only resembles a number or a boolean is text") {
  for (const char* text : {"yes", "no",   "on",    "off", "inf", "nan", "1_", "_1", "1__0",  "0x",
                           "0xg", "0x-1", "1.2.3", "--1", "+-1", "+",   "-",  ".",  "12:30", "700us"}) {
    CHECK(resolve_scalar(text) == Value(text));
  }
}

TEST_CASE("every value stores the line of its key") {
  const Value tree = read("a: 1\nb:\n  c: [x,\n      y]\n  d: >\n    long\n    text\n");
  CHECK(tree.at("a").source.text() == "drive.yaml:1");
  CHECK(tree.at("b").source.text() == "drive.yaml:2");
  CHECK(tree.at("b.c").source.line == 3);
  CHECK((*tree.at("b.c").list_items())[1].source.line == 4);
  CHECK(tree.at("b.d").source.line == 5);
}

TEST_CASE("quotes and the tag !!str turn any value into text") {
  CHECK(read("a: '1'").at("a") == Value("1"));
  CHECK(read("a: \"true\"").at("a") == Value("true"));
  CHECK(read("a: !!str 1").at("a") == Value("1"));
}

TEST_CASE("an empty document is null, and so is a key without a value") {
  CHECK(read("").is_null());
  CHECK(read("# a comment\n").is_null());
  CHECK(read("a:\n").at("a").is_null());
}

TEST_CASE("anchors, aliases and merge keys are resolved") {
  const Value tree = read("base: &base {x: 1, y: 2}\nsame: *base\nmerged: {<<: *base, y: 3}\n");
  CHECK(tree.at("same") == tree.at("base"));
  CHECK(tree.at("same").source.line == 2);
  CHECK(tree.at("merged.x") == Value(1));
  CHECK(tree.at("merged.y") == Value(3));

  const Value several = read("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b]}\n");
  CHECK(several.at("c.x") == Value(1));
  CHECK(several.at("c.y") == Value(2));
}

TEST_CASE("unreadable YAML is an error with file and line") {
  CHECK_THAT(error_of("a: 1\nb: {c: 1\n"), Catch::Matchers::StartsWith("drive.yaml:3: not valid YAML: "));
  CHECK_THAT(error_of("a: 1\n\tb: 2\n"), Catch::Matchers::StartsWith("drive.yaml:2: not valid YAML: "));
  CHECK_THAT(error_of("b: 0\na: 1\na: 2\n"), Equals("drive.yaml:3: a: is given twice; the first is at drive.yaml:2"));
  CHECK_THAT(error_of("a: 1\n---\nb: 2\n"),
             Equals("drive.yaml:3: a second document begins here; a configuration is one document"));
  CHECK_THAT(error_of("a: !colour red\n"), Equals("drive.yaml:1: the tag '!colour' has no meaning here"));
  CHECK_THAT(error_of("? [a, b]\n: 1\n"), Equals("drive.yaml:1: a key must be plain text"));
  CHECK_THAT(error_of("a: {<<: 1}\n"), Equals("drive.yaml:1: <<: a merge key takes a map or a list of maps"));
  CHECK_THAT(error_of("a: *missing\n"), Catch::Matchers::StartsWith("drive.yaml:1: not valid YAML: "));
  CHECK_THAT(error_of("a: &a [*a]\n"), Equals("drive.yaml:1: is nested too deeply, or in itself"));
  CHECK_THROWS_WITH(read_yaml_file("no/such/file.yaml"), "no/such/file.yaml: cannot be read");
}

TEST_CASE("documents larger than any configuration are refused") {
  const auto numbered = [](std::string text, int number) { return text.append(std::to_string(number)); };
  // Each line expands to ten times as many values as the previous line, so ten lines exceed any limit.
  std::string aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 10; ++k) {
    aliases += numbered("a", k) + numbered(": &a", k) + numbered(" [*a", k - 1);
    for (int copy = 1; copy < 10; ++copy) aliases += numbered(", *a", k - 1);
    aliases += "]\n";
  }
  CHECK_THAT(error_of(aliases), Catch::Matchers::EndsWith("has more than 100000 values, including those of aliases"));

  std::string merges = "a0: &a0 {x0: 1}\n";
  for (int k = 1; k < 60; ++k) {
    merges += numbered("a", k) + numbered(": &a", k) + numbered(" {<<: [*a", k - 1) + numbered(", *a", k - 1) +
              numbered("], x", k) + ": 1}\n";
  }
  CHECK_THAT(error_of(merges), Catch::Matchers::Contains("has more than 100000 values"));

  std::string keys;
  for (int k = 0; k < 90'000; ++k) keys += numbered("k", k) + ": 1\n";
  CHECK(read(keys).map_items()->size() == 90'000);
  CHECK_THAT(error_of(keys + keys), Catch::Matchers::Contains("k0: is given twice"));

  CHECK_THAT(error_of(std::string(5'000'000, '#')), Catch::Matchers::Contains("is longer than 4194304 bytes"));
  CHECK_THAT(error_of(std::string(1000, '[')), Catch::Matchers::StartsWith("drive.yaml:"));
  CHECK_THAT(error_of(std::string(102, '[') + std::string(102, ']')), Catch::Matchers::Contains("nested too deeply"));
}

TEST_CASE("anything but text is refused") {
  CHECK(read("\xEF\xBB\xBF"
             "a: 1\n")
            .at("a") == Value(1));  // a byte order mark
  CHECK_THAT(error_of(std::string("a: 1\0\n", 6)), Catch::Matchers::Contains("bytes of value 0"));
  CHECK_THAT(error_of("a: !" + std::string(100'000, 'x') + " 1\n"), Catch::Matchers::EndsWith("has no meaning here"));
  CHECK(error_of("a: !" + std::string(100'000, 'x') + " 1\n").size() < 200);
}

TEST_CASE("a text with seemingly endless documents is read to its end") {
  const std::string endless = "&aa.nan, 0o17\xEC\"+12, 01 # \nunolnn: =.\r\rin\rfinf, -.IN.nan, 0o17\r\r\xFF#\n";
  CHECK_THAT(error_of(endless), Catch::Matchers::StartsWith("drive.yaml"));
}

TEST_CASE("paths that are not regular files are reported") {
  CHECK_THROWS_WITH(read_yaml_file("/"), "/: is a folder, not a file");
  CHECK_THROWS_WITH(read_yaml_file("/dev/zero"), Catch::Matchers::StartsWith("/dev/zero: is longer than"));
}

TEST_CASE("a written tree reads back unchanged") {
  const Value tree = read(
      "numbers: [1, 2.5, 4.0, 1e300, -0.1, .inf]\n"
      "texts: ['yes', '1', '', 'a: b', '# c', \"two\\nlines\", plain, 'null', '-', '~', 'µs']\n"
      "groups: {inner: {on: true, nothing: null}, empty: {}, none: []}\n"
      "list: [{a: 1, b: {c: 2}}, {a: 3}]\n"
      "'odd: key': 1\n");
  const std::string written = write_yaml(tree);
  CAPTURE(written);
  CHECK(read(written) == tree);
}

TEST_CASE("keys of any length survive a round trip") {
  const std::string longest(1024, 'k');
  for (const std::string& key : {longest, longest + "k", std::string(200, '\x11')}) {
    Value inner = Value::map();
    inner[key] = Value(std::numeric_limits<double>::infinity());
    Value tree = Value::map();
    tree[key]["below"] = inner;
    tree["groups"] = Value(Value::List{inner, inner});
    tree["lists"] = Value(Value::List{Value(Value::List{inner, Value(2.0)})});
    CHECK(read(write_yaml(tree)) == tree);
  }
}

TEST_CASE("written YAML has a readable layout") {
  const Value tree = read("timing: {senses: [2, 3, 2], t_prog_us: 700.5}\nstreams: [{name: a, depth: 1}, {name: b}]\n");
  CHECK(write_yaml(tree) ==
        "timing:\n"
        "  senses: [2, 3, 2]\n"
        "  t_prog_us: 700.5\n"
        "streams:\n"
        "  - name: a\n"
        "    depth: 1\n"
        "  - name: b\n");
}
