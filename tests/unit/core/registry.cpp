// SPDX-License-Identifier: Apache-2.0
#include "core/registry.h"

#include <stdexcept>

#include "catch.h"

namespace nandscape {
namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Square final : Shape {
  struct Parameters {
    double side = 2;
  };
  Square(const Parameters& p, double scale) : side(p.side * scale) {}
  double area() const override { return side * side; }
  double side;
};
void describe(Square::Parameters& p, ParameterVisitor& v) { v.real("side", p.side, {0, 10}, "m", "length of a side"); }

struct Nothing final : Shape {
  using Parameters = NoParameters;
  Nothing(const Parameters&, double) {}
  double area() const override { return 0; }
};

Registry<Shape, double> shapes() {
  Registry<Shape, double> registry("shapes");
  registry.add<Square>("square", "four sides");
  registry.add<Nothing>("nothing", "no side");
  return registry;
}

// Sets all real parameters to the same value.
struct SetReals final : ParameterVisitor {
  explicit SetReals(double v) : to(v) {}
  double to;
  std::string last_key;
  void visit_boolean(const ParameterInfo&, bool&) override {}
  void visit_integer(const ParameterInfo&, std::int64_t&, IntegerRange) override {}
  void visit_real(const ParameterInfo& info, double& value, RealRange) override {
    value = to;
    last_key = info.key;
  }
  void visit_text(const ParameterInfo&, std::string&) override {}
  void visit_choice(const ParameterInfo&, std::string&, const std::vector<Choice>&) override {}
  void visit_variant(const ParameterInfo&, VariantChoice&, const VariantFamily&) override {}
  void visit_reals(const ParameterInfo&, std::vector<double>&, RealRange) override {}
  void visit_texts(const ParameterInfo&, std::vector<std::string>&) override {}
  bool enter_group(const ParameterInfo&) override { return true; }
  void leave_group() override {}
  std::size_t enter_list(const ParameterInfo&, std::size_t size) override { return size; }
  bool enter_item(std::size_t) override { return true; }
  void leave_item() override {}
  void leave_list() override {}
};

TEST_CASE("a variant is made by name, with default or given parameters") {
  const auto registry = shapes();
  CHECK(registry.make({"square", nullptr}, 1.0)->area() == 4);
  CHECK(registry.make({"square", nullptr}, 3.0)->area() == 36);
  CHECK(registry.make({"nothing", nullptr}, 3.0)->area() == 0);

  VariantChoice choice{"square", registry.make_parameters("square")};
  SetReals five(5);
  choice.parameters->visit(five);
  CHECK(five.last_key == "side");
  CHECK(registry.make(choice, 1.0)->area() == 25);
}

// A shape that is given as an object instead of by name, and that no registry contains.
struct Blot final : Registry<Shape, double>::Object {
  struct Made final : Shape {
    explicit Made(double scale) : size(7 * scale) {}
    double area() const override { return size; }
    double size;
  };
  const std::string& name() const override { return name_; }
  std::string_view family() const override { return "shapes"; }
  std::unique_ptr<Shape> make(double scale) const override { return std::make_unique<Made>(scale); }

  std::string name_ = "ink:Blot";
};

TEST_CASE("an object can replace a variant") {
  const auto registry = shapes();
  const VariantChoice choice{"ink:Blot", std::make_shared<Blot>()};
  CHECK(registry.make(choice, 1.0)->area() == 7);
  CHECK(registry.make(choice, 2.0)->area() == 14);
  CHECK_FALSE(registry.contains("ink:Blot"));
  SetReals five(5);
  choice.parameters->visit(five);
  CHECK(five.last_key.empty());
}

TEST_CASE("a registry lists its variants in order of registration") {
  const auto registry = shapes();
  REQUIRE(registry.variants().size() == 2);
  CHECK(registry.variants()[0].name == "square");
  CHECK(registry.variants()[1].meaning == "no side");
  CHECK(registry.contains("square"));
  CHECK_FALSE(registry.contains("circle"));
  CHECK(registry.family() == "shapes");
}

TEST_CASE("unknown and duplicate names are errors") {
  auto registry = shapes();
  CHECK_THROWS_WITH(registry.make({"circle", nullptr}, 1.0), "shapes has no variant named 'circle'");
  CHECK_THROWS_AS(registry.make_parameters("circle"), std::logic_error);
  CHECK_THROWS_WITH(registry.add<Square>("square", ""), "shapes has two variants named 'square'");
}

}  // namespace
}  // namespace nandscape
