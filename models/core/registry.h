// SPDX-License-Identifier: Apache-2.0
// A family of policies and its variants, each registered by name with its own parameters.
//
// A variant is one file with one class:
//
//   class Greedy final : public VictimPolicy {
//    public:
//     struct Parameters {};                                   // with describe(Parameters&, ParameterVisitor&)
//     Greedy(const Parameters&, const BlockTable&);
//   };
//   void register_greedy(VictimRegistry& r) { r.add<Greedy>("greedy", "the block with the fewest valid pages"); }
//
// Registration is explicit, never by static initialisers, which a linker may drop.
//
// A configuration may hold an object from outside the source tree (VariantObject) in place of a variant's name. The
// object makes the Interface that the rest of the drive uses.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parameters.h"

namespace nandscape {

// Parameters of a variant that has none.
struct NoParameters {};
inline void describe(NoParameters&, ParameterVisitor&) {}

// An object in place of a variant. A VariantChoice holds it where it would hold the variant's parameters; it has none.
class VariantObject : public VariantParameters {
 public:
  // Its name in configurations and messages. It contains a ':', which no variant's name does.
  virtual const std::string& name() const = 0;
  // The VariantFamily::family() to which it belongs.
  virtual std::string_view family() const = 0;
  void visit(ParameterVisitor&) final {}
};

template <class Interface, class... Context>
class Registry final : public VariantFamily {
 public:
  // Base class of objects of this family. Each drive that is built makes one or more Interfaces from it.
  class Object : public VariantObject {
   public:
    virtual std::unique_ptr<Interface> make(Context... context) const = 0;
  };

  explicit Registry(std::string family) : family_(std::move(family)) {}

  // Registers Implementation(const Implementation::Parameters&, Context...) under `name`.
  template <class Implementation>
  void add(std::string name, std::string meaning) {
    using Parameters = typename Implementation::Parameters;
    if (contains(name)) throw std::logic_error(family_ + " has two variants named '" + name + "'");
    entries_.push_back({std::move(name), std::move(meaning), [] { return std::make_unique<Holder<Parameters>>(); },
                        [](const VariantParameters& parameters, Context... context) -> std::unique_ptr<Interface> {
                          return std::make_unique<Implementation>(
                              static_cast<const Holder<Parameters>&>(parameters).value,
                              std::forward<Context>(context)...);
                        }});
  }

  std::unique_ptr<Interface> make(const VariantChoice& choice, Context... context) const {
    if (const auto* object = dynamic_cast<const Object*>(choice.parameters.get())) {
      return object->make(std::forward<Context>(context)...);
    }
    const Entry& entry = find(choice.name);
    if (choice.parameters != nullptr) return entry.make(*choice.parameters, std::forward<Context>(context)...);
    return entry.make(*entry.make_parameters(), std::forward<Context>(context)...);
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
