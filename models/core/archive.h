// SPDX-License-Identifier: Apache-2.0
// Saves and restores the state of a device as bytes. Each block lists its state once, in its function persist(). The
// same function serves both directions: it writes the state when saving and reads it when restoring.
//
//   void Journal::persist(Archive& archive) {
//     archive.section("journal");
//     archive(snapshot_);
//     archive.index(block_, blocks, "the block of the journal");
//   }
//
// If a member has a function persist(Archive&), the archive calls it. The archive itself handles integers, bools,
// floating-point numbers, strings, vectors, optionals, maps and owning pointers. Blocks do not save derived values,
// caches and configuration, because they can rebuild them after a restore. The format depends on the byte order and
// type sizes of the machine and on the version of the program. Equal states give equal bytes: maps are written in key
// order, and types with padding are never copied as a whole.
//
// The input of a restore may be corrupt or forged. Visit each index, enumeration and bounded number with the function
// that checks its limits, and check conditions that relate several values with require(). A violation throws
// ArchiveError with the section and the name of the value.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
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

// Thrown when the saved state does not match the configuration of the device that reads it, or is corrupt.
class ArchiveError : public Error {
 public:
  using Error::Error;
};

class Archive;

template <class T>
concept Persistent = requires(T& value, Archive& archive) {
  value.persist(archive);
};

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t size>
inline constexpr bool is_std_array<std::array<T, size>> = true;

// Types that are copied byte by byte: integers, and structures of integers without padding. Every bit pattern must be a
// valid value, so such a structure must not contain a bool or an enumeration.
template <class T>
concept PlainData = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> &&
                    (std::is_integral_v<T> || std::is_class_v<T> ||
                     std::is_same_v<T, std::byte>)&&!std::is_same_v<T, bool> &&
                    !is_std_array<T> && !Persistent<T>;

class Archive {
 public:
  // Creates an archive that saves. take() returns the saved bytes.
  Archive();
  // Creates an archive that restores from `bytes`, which must outlive the archive.
  explicit Archive(std::span<const std::byte> bytes);

  [[nodiscard]] bool loading() const { return loading_; }
  std::vector<std::byte> take() { return std::move(written_); }
  // Call this function after the last value. When reading, it throws ArchiveError if unread bytes are left.
  void finish() const;

  // Begins the section `name` of the state. When reading, throws ArchiveError unless the section with this name was
  // written at this position.
  void section(std::string_view name);
  // Saves a value of the configuration, for example a number of blocks. When reading, throws ArchiveError if the saved
  // value differs from `value`.
  void expect(std::string_view name, std::uint64_t value);

  // Each function from here to list() saves or restores a value. When reading, the function throws ArchiveError if the
  // value is outside its limits. The message contains `name`.
  //
  // An index, which must be less than `of`.
  template <class T>
  void index(T& value, std::uint64_t of, std::string_view name) {
    visit(value);
    if (loading_ && number_of(value) >= of) out_of_range(name, number_of(value), of, "below");
  }
  // An index that is less than `of`, or an invalid id.
  template <class Id>
  void index_or_none(Id& id, std::uint64_t of, std::string_view name) {
    visit(id);
    if (loading_ && id.valid() && id.value >= of) out_of_range(name, id.value, of, "below");
  }
  template <class T>
  void number(T& value, std::uint64_t most, std::string_view name) {
    visit(value);
    if (loading_ && number_of(value) > most) out_of_range(name, number_of(value), most, "at most");
  }
  // A counter. Its limit, 2^62, is low enough that it cannot overflow after the restore.
  template <class T>
  void counter(T& value, std::string_view name) {
    number(value, std::uint64_t{1} << 62, name);
  }
  void real(double& value, double least, double most, std::string_view name);
  template <class Enumeration>
  void enumeration(Enumeration& value, Enumeration last, std::string_view name) {
    auto code = static_cast<std::underlying_type_t<Enumeration>>(value);
    number(code, static_cast<std::uint64_t>(last), name);
    value = static_cast<Enumeration>(code);
  }

  // A vector of exactly `count` values, where `count` is known from the configuration.
  template <class T>
  void table(std::vector<T>& values, std::size_t count, std::string_view name) {
    visit(values);
    check_count(values.size(), count, name);
  }
  // Like table() above, but calls `visit_value(T&)` for each value.
  template <class T, class Visit>
  void table(std::vector<T>& values, std::size_t count, std::string_view name, Visit visit_value) {
    list(values, count, name, visit_value);
    check_count(values.size(), count, name);
  }
  // A vector of at most `most` values. Calls `visit_value(T&)` for each value.
  template <class T, class Visit>
  void list(std::vector<T>& values, std::size_t most, std::string_view name, Visit visit_value) {
    std::size_t count = size(values.size());
    if (!loading_) {
      for (T& value : values) visit_value(value);
      return;
    }
    if (count > most) out_of_range("the number of " + std::string(name), count, most, "at most");
    values.clear();
    for (; count > 0; --count) visit_value(values.emplace_back());
  }

  // When reading, throws ArchiveError with the message `complaint` unless `holds` is true.
  void require(bool holds, std::string_view complaint) const {
    if (loading_ && !holds) refuse(complaint);
  }
  [[noreturn]] void refuse(std::string_view complaint) const;

  template <class T>
  void operator()(T& value) {
    visit(value);
  }
  template <class... T>
  requires(sizeof...(T) > 1) void operator()(T&... values) { (visit(values), ...); }

  // An array of `count` elements. The length is not saved, so the caller must pass the same `count` on restore.
  template <PlainData T>
  void array(std::unique_ptr<T[]>& values, std::size_t count) {
    if (loading_) values = std::make_unique_for_overwrite<T[]>(room<T>(count));
    transfer(values.get(), count * sizeof(T));
  }
  // Like array(), but the pointer may be null.
  template <PlainData T>
  void array_or_none(std::unique_ptr<T[]>& values, std::size_t count) {
    if (present(values != nullptr)) {
      array(values, count);
    } else {
      values.reset();
    }
  }

  // The state of a policy, saved under the name of its variant. `visit_state(Archive&)` saves or restores it. If the
  // saved name differs from `name`, or if `name` is empty because there is no policy, a restore skips the saved state.
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
    state.section_ = section_;
    visit_state(state);
    state.finish();
  }

  // A map whose keys are less than `keys`. Calls `visit_value(T&)` for each value.
  template <class Key, class T, class Visit>
  void map(std::unordered_map<Key, T>& values, std::uint64_t keys, std::string_view name, Visit visit_value) {
    std::size_t count = size(values.size());
    if (loading_) {
      values.clear();
      for (std::uint64_t least = 0; count > 0; --count) {
        Key key{};
        index(key, keys, name);
        if (number_of(key) < least) out_of_range(name, number_of(key), least, "in ascending order, so at least");
        least = number_of(key) + 1;
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

  void visit(bool& value) {
    auto byte = static_cast<std::uint8_t>(value);
    transfer(&byte, 1);
    if (byte > 1) refuse("a flag is " + std::to_string(byte) + ", and must be 0 or 1");
    value = byte != 0;
  }

  template <std::floating_point T>
  void visit(T& value) {
    transfer(&value, sizeof(T));
    check_finite(std::span(&value, 1));
  }

  template <class T, std::size_t size>
  void visit(std::array<T, size>& values) {
    for (T& value : values) visit(value);
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
    if constexpr (PlainData<T> || std::floating_point<T>) {
      if (loading_) values.resize(room<T>(count));
      transfer(values.data(), count * sizeof(T));
      if constexpr (std::floating_point<T>) check_finite(std::span(values));
    } else if (loading_) {
      // The vector grows value by value. If the count is wrong, reading fails at the end of the input, before much
      // memory is allocated.
      values.clear();
      for (std::size_t k = 0; k < count; ++k) visit(values.emplace_back());
    } else {
      for (T& value : values) visit(value);
    }
  }

  template <class T>
  void visit(std::optional<T>& value) {
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

  template <class T>
  static std::uint64_t number_of(const T& value) {
    if constexpr (std::is_class_v<T>) {
      return value.value;
    } else {
      static_assert(std::is_unsigned_v<T>, "only unsigned numbers have limits");
      return value;
    }
  }

  template <class T>
  void check_finite(std::span<const T> values) const {
    if (!loading_ || std::ranges::all_of(values, [](T value) { return std::isfinite(value); })) return;
    refuse("a number is infinite or not a number");
  }
  template <class T>
  void check_finite(std::span<T> values) const {
    check_finite(std::span<const T>(values));
  }

  void transfer(void* data, std::size_t bytes);
  std::size_t size(std::size_t own);
  bool present(bool own);
  // Returns `count`. When reading, throws ArchiveError if `count` values need more bytes than the input has left, so a
  // wrong count cannot cause a huge allocation.
  template <class T>
  [[nodiscard]] std::size_t room(std::size_t count) const {
    if (loading_ && count > unread_.size() / sizeof(T)) ends_early();
    return count;
  }
  [[noreturn]] void ends_early() const;
  void check_count(std::size_t found, std::size_t count, std::string_view name) const;
  [[noreturn]] void out_of_range(std::string_view name, std::uint64_t found, std::uint64_t limit,
                                 std::string_view relation) const;

  const bool loading_;
  std::vector<std::byte> written_;
  std::span<const std::byte> unread_;
  std::string section_;
};

}  // namespace nandscape
