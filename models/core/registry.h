// SPDX-License-Identifier: Apache-2.0
// A registry holds the variants of a family of policies. Each variant is registered by name, with its own parameters.
//
// There are two ways to extend a family. Both produce an object of the type Interface, which the rest of the drive
// uses.
// - A variant in C++, in the source tree or in a user's program. Every registry is open: a program that adds its
//   variant before it reads a configuration also finds it in the schema and the checks.
// - An object (Registry::Object), which a configuration holds in place of a variant's name. Policies written in Python
//   are such objects.
//
// A variant is one class:
//
//   class Greedy final : public VictimPolicy {
//    public:
//     struct Parameters {};                                   // with describe(Parameters&, ParameterVisitor&)
//     Greedy(const Parameters&, const BlockTable&);
//   };
//   victim_registry().add<Greedy>("greedy", "the block with the fewest valid pages");
//
// Registration is explicit. Static initialisers are not used for it, because a linker may discard them.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parameters.h"

namespace nandscape {

// The number of variants in all registries. It grows when a program registers its own variants.
inline std::atomic<std::size_t> registered_variants = 0;

// The parameter type of variants that have no parameters.
struct NoParameters {};
inline void describe(NoParameters&, ParameterVisitor&) {}

// An object that takes the place of a registered variant. A VariantChoice stores it as its `parameters`.
class VariantObject : public VariantParameters {
 public:
  // The object's name in configurations and messages. It must contain a ':', so that it cannot equal the name of a
  // variant.
  virtual const std::string& name() const = 0;
  // Returns the name of the family to which the object belongs (see VariantFamily::family()).
  virtual std::string_view family() const = 0;
  void visit(ParameterVisitor&) final {}
};

struct NoTraits {};

// The type of the properties of a variant that must be known before the variant is constructed. It is
// Interface::Traits, or NoTraits if the family has no such type.
template <class Interface>
struct TraitsOf {
  using Type = NoTraits;
};
template <class Interface>
requires requires { typename Interface::Traits; }
struct TraitsOf<Interface> {
  using Type = typename Interface::Traits;
};

template <class Interface, class... Context>
class Registry final : public VariantFamily {
 public:
  using Traits = typename TraitsOf<Interface>::Type;

  // Base class of the objects of this family. Each drive that is built calls make(), possibly several times.
  class Object : public VariantObject {
   public:
    virtual std::unique_ptr<Interface> make(Context... context) const = 0;
    virtual Traits traits() const { return {}; }
  };

  explicit Registry(std::string family) : family_(std::move(family)) {}
  // Creates a registry and calls `fill` to add the variants of the source tree.
  Registry(std::string family, void (*fill)(Registry&)) : Registry(std::move(family)) { fill(*this); }

  // Registers a class under `name`. make() constructs it as Implementation(const Implementation::Parameters&,
  // Context...). Its traits are Implementation::traits if the class has this member, and otherwise the default traits.
  template <class Implementation>
  void add(std::string name, std::string meaning) {
    using Parameters = typename Implementation::Parameters;
    if (contains(name)) throw std::logic_error(family_ + " has two variants named '" + name + "'");
    Traits traits{};
    if constexpr (requires { Implementation::traits; }) traits = Implementation::traits;
    entries_.push_back(
        {std::move(name), std::move(meaning), traits, [] { return std::make_unique<Holder<Parameters>>(); },
         [](const VariantParameters& parameters, Context... context) -> std::unique_ptr<Interface> {
           return std::make_unique<Implementation>(static_cast<const Holder<Parameters>&>(parameters).value,
                                                   std::forward<Context>(context)...);
         }});
    ++registered_variants;
  }

  std::unique_ptr<Interface> make(const VariantChoice& choice, Context... context) const {
    if (const auto* object = dynamic_cast<const Object*>(choice.parameters.get())) {
      return object->make(std::forward<Context>(context)...);
    }
    const Entry& entry = find(choice.name);
    if (choice.parameters != nullptr) return entry.make(*choice.parameters, std::forward<Context>(context)...);
    return entry.make(*entry.make_parameters(), std::forward<Context>(context)...);
  }

  // Returns the traits of the chosen variant without constructing the variant.
  Traits traits(const VariantChoice& choice) const {
    if (const auto* object = dynamic_cast<const Object*>(choice.parameters.get())) return object->traits();
    return find(choice.name).traits;
  }

  std::string_view family() const override { return family_; }

  std::vector<Choice> variants() const override {
    std::vector<Choice> choices;
    for (const Entry& entry : entries_) choices.push_back({entry.name, entry.meaning});
    return choices;
  }

  bool contains(std::string_view variant) const override {
    for (const Entry& entry : entries_) {
      if (entry.name == variant) return true;
    }
    return false;
  }

  std::unique_ptr<VariantParameters> make_parameters(std::string_view variant) const override {
    return find(variant).make_parameters();
  }

 private:
  template <class Parameters>
  struct Holder final : VariantParameters {
    Parameters value;
    void visit(ParameterVisitor& visitor) override { describe(value, visitor); }
  };

  struct Entry {
    std::string name;
    std::string meaning;
    Traits traits;
    std::function<std::unique_ptr<VariantParameters>()> make_parameters;
    std::function<std::unique_ptr<Interface>(const VariantParameters&, Context...)> make;
  };

  const Entry& find(std::string_view variant) const {
    for (const Entry& entry : entries_) {
      if (entry.name == variant) return entry;
    }
    throw std::logic_error(family_ + " has no variant named '" + std::string(variant) + "'");
  }

  std::string family_;
  std::vector<Entry> entries_;
};

}  // namespace nandscape
