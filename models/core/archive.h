// SPDX-License-Identifier: Apache-2.0
// State as bytes, in both directions. A block says once what its state is, and the archive either writes it or reads it
// back:
//
//   void BlockHistories::persist(Archive& archive) {
//     archive.section("block histories");
//     archive(index_);
//     archive(records_);
//   }
//
// Whatever has a member persist(Archive&) is visited by it; plain values, strings, vectors, optionals, maps and owning
// pointers of such are known here. Derived figures, caches and what the configuration says are left out: they are made
// again. Bytes are those of this machine and this version of the program; maps are written in the order of their keys,
// so that equal states are equal bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"

namespace nandscape {

// Saved state that does not fit what is to be restored from it.
class ArchiveError : public Error {
 public:
  using Error::Error;
};

class Archive;

template <class T>
concept Persistent = requires(T& value, Archive& archive) {
  value.persist(archive);
};

// What may be copied byte by byte.
template <class T>
concept PlainData = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !Persistent<T>;

class Archive {
 public:
  // Writes; take() gives the bytes.
  Archive();
  // Reads those bytes, which must outlive it.
  explicit Archive(std::span<const std::byte> bytes);

  bool loading() const { return loading_; }
  std::vector<std::byte> take() { return std::move(written_); }
  // After the last value: nothing may be left over.
  void finish() const;

  // What follows belongs to that part of the state; reading, it must be the part that was written here.
  void section(std::string_view name);
  // A figure of the configuration that the state was written with, and that it must be read with.
  void expect(std::string_view name, std::uint64_t value);

  template <class T>
  void operator()(T& value) {
    visit(value);
  }
  template <class... T>
  requires(sizeof...(T) > 1) void operator()(T&... values) { (visit(values), ...); }

  // An array of a length that is known; null stays null.
  template <PlainData T>
  void array(std::unique_ptr<T[]>& values, std::size_t count) {
    if (!present(values != nullptr)) {
      values.reset();
      return;
    }
    if (loading_) values = std::make_unique_for_overwrite<T[]>(room<T>(count));
    transfer(values.get(), count * sizeof(T));
  }

  // State of a variant of that name, visited by `visit(Archive&)`. Whoever reads and has another variant, or none (an
  // empty name), starts without it.
  template <class Visit>
  void variant(std::string_view name, Visit visit_state) {
    std::string written_name(name);
    std::vector<std::byte> bytes;
    if (!loading_) {
      Archive state;
      if (!name.empty()) visit_state(state);
      bytes = state.take();
    }
    visit(written_name);
    visit(bytes);
    if (!loading_ || name.empty() || written_name != name) return;
    Archive state(bytes);
    visit_state(state);
    state.finish();
  }

  // A map whose values `visit_value(T&)` visits.
  template <class Key, class T, class Visit>
  void map(std::unordered_map<Key, T>& values, Visit visit_value) {
    std::size_t count = size(values.size());
    if (loading_) {
      values.clear();
      for (; count > 0; --count) {
        Key key{};
        visit(key);
        visit_value(values[key]);
      }
      return;
    }
    std::vector<std::pair<const Key, T>*> ordered;
    ordered.reserve(count);
    for (auto& entry : values) ordered.push_back(&entry);
    std::ranges::sort(ordered, {}, [](const auto* entry) { return entry->first; });
    for (auto* entry : ordered) {
      Key key = entry->first;
      visit(key);
      visit_value(entry->second);
    }
  }

 private:
  template <Persistent T>
  void visit(T& value) {
    value.persist(*this);
  }

  template <PlainData T>
  void visit(T& value) {
    transfer(&value, sizeof(T));
  }

  void visit(std::string& text) {
    text.resize(room<char>(size(text.size())));
    transfer(text.data(), text.size());
  }

  void visit(std::vector<bool>& bits) {
    const std::size_t count = size(bits.size());
    std::vector<std::uint64_t> words((room<std::uint8_t>(count / 8) * 8 + count % 8 + 63) / 64);
    for (std::size_t k = 0; k < count && !loading_; ++k) words[k / 64] |= std::uint64_t{bits[k]} << k % 64;
    transfer(words.data(), words.size() * sizeof(std::uint64_t));
    bits.resize(count);
    for (std::size_t k = 0; k < count && loading_; ++k) bits[k] = (words[k / 64] >> k % 64 & 1) != 0;
  }

  template <class T>
  void visit(std::vector<T>& values) {
    const std::size_t count = size(values.size());
    if constexpr (PlainData<T>) {
      if (loading_) values.resize(room<T>(count));
      transfer(values.data(), count * sizeof(T));
    } else {
      if (loading_) values.resize(room<std::byte>(count));
      for (T& value : values) visit(value);
    }
  }

  template <class T>
  requires(!PlainData<std::optional<T>>) void visit(std::optional<T>& value) {
    if (!present(value.has_value())) {
      value.reset();
      return;
    }
    if (loading_) value.emplace();
    visit(*value);
  }

  template <class T>
  requires(!std::is_array_v<T>) void visit(std::unique_ptr<T>& value) {
    if (!present(value != nullptr)) {
      value.reset();
      return;
    }
    if (loading_) value = std::make_unique<T>();
    visit(*value);
  }

  template <class Key, class T>
  void visit(std::unordered_map<Key, T>& values) {
    map(values, [this](T& value) { visit(value); });
  }

  void transfer(void* data, std::size_t bytes);
  std::size_t size(std::size_t own);
  bool present(bool own);
  // So many elements, of which reading must find the bytes: a count that is wrong must not ask for memory.
  template <class T>
  std::size_t room(std::size_t count) const {
    if (loading_ && count > unread_.size() / sizeof(T)) ends_early();
    return count;
  }
  [[noreturn]] void ends_early() const;

  const bool loading_;
  std::vector<std::byte> written_;
  std::span<const std::byte> unread_;
  std::string section_;
};

}  // namespace nandscape
