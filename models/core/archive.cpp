// SPDX-License-Identifier: Apache-2.0
#include "core/archive.h"

namespace nandscape {

namespace {

constexpr std::uint32_t signature = 0x5353534e;  // "NSSS" in memory
// The version of the format. Increment it with every change of the saved state.
constexpr std::uint32_t format = 12;
// Written before the name of each section. A read at the wrong position finds other bytes here, so it fails instead of
// taking them for a name.
constexpr std::uint32_t section_mark = 0x3a636573;

// Returns `name` in quotation marks for an error message, or "no section name" if it is too long or unprintable. The
// name comes from the input and may contain any bytes.
std::string in_quotes(const std::string& name) {
  constexpr std::size_t longest = 64;
  const bool readable =
      name.size() <= longest && std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  return readable ? '"' + name + '"' : "no section name";
}

}  // namespace

Archive::Archive() : loading_(false) {
  std::uint32_t header[] = {signature, format};
  transfer(header, sizeof header);
}

Archive::Archive(std::span<const std::byte> bytes) : loading_(true), unread_(bytes) {
  std::uint32_t header[2];
  if (bytes.size() < sizeof header) throw ArchiveError("these bytes are not a saved state of nandscape");
  transfer(header, sizeof header);
  if (header[0] != signature) throw ArchiveError("these bytes are not a saved state of nandscape");
  if (header[1] != format) {
    throw ArchiveError("the state was saved in format " + std::to_string(header[1]) +
                       ", and this version reads format " + std::to_string(format) +
                       "; restore it with the version that saved it");
  }
}

void Archive::finish() const {
  if (!loading_ || unread_.empty()) return;
  throw ArchiveError(std::to_string(unread_.size()) + " bytes are left over after section \"" + section_ +
                     "\": the state was saved from a device with more parts");
}

void Archive::section(std::string_view name) {
  std::uint32_t mark = section_mark;
  std::string found(name);
  visit(mark);
  if (mark != section_mark) {
    throw ArchiveError("expected section \"" + std::string(name) + "\", found more of section \"" + section_ +
                       "\": the state was saved from a device with other parts");
  }
  visit(found);
  if (found != name) {
    throw ArchiveError("expected section \"" + std::string(name) + "\", found " + in_quotes(found) +
                       ": the state was saved from a device with other parts");
  }
  section_ = name;
}

void Archive::expect(std::string_view name, std::uint64_t value) {
  std::uint64_t found = value;
  visit(found);
  if (found == value) return;
  throw ArchiveError("section \"" + section_ + "\" was saved with " + std::string(name) + " " + std::to_string(found) +
                     ", but is read with " + std::to_string(value) +
                     "; restore it with the configuration it was saved with");
}

void Archive::real(double& value, double least, double most, std::string_view name) {
  visit(value);
  if (!loading_ || (value >= least && value <= most)) return;
  refuse(std::string(name) + " is " + std::to_string(value) + ", and must be from " + std::to_string(least) + " to " +
         std::to_string(most));
}

void Archive::refuse(std::string_view complaint) const {
  throw ArchiveError((section_.empty() ? "" : "section \"" + section_ + "\": ") + std::string(complaint));
}

void Archive::out_of_range(std::string_view name, std::uint64_t found, std::uint64_t limit,
                           std::string_view relation) const {
  refuse(std::string(name) + " is " + std::to_string(found) + ", and must be " + std::string(relation) + " " +
         std::to_string(limit));
}

void Archive::check_count(std::size_t found, std::size_t count, std::string_view name) const {
  if (found == count) return;
  refuse("there are " + std::to_string(found) + " " + std::string(name) + ", and must be " + std::to_string(count));
}

void Archive::transfer(void* data, std::size_t bytes) {
  if (bytes == 0) return;
  if (loading_) {
    if (bytes > unread_.size()) ends_early();
    std::memcpy(data, unread_.data(), bytes);
    unread_ = unread_.subspan(bytes);
    return;
  }
  const auto* first = static_cast<const std::byte*>(data);
  written_.insert(written_.end(), first, first + bytes);
}

std::size_t Archive::size(std::size_t own) {
  std::uint64_t count = own;
  visit(count);
  return count;
}

bool Archive::present(bool own) {
  visit(own);
  return own;
}

void Archive::ends_early() const {
  throw ArchiveError("the state ends in the middle of " +
                     (section_.empty() ? "its beginning" : "section \"" + section_ + "\"") +
                     ": it was cut short, or saved from a device with other parts");
}

}  // namespace nandscape
