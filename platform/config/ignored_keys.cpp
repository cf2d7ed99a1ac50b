// SPDX-License-Identifier: Apache-2.0
#include "platform/config/ignored_keys.h"

#include <algorithm>
#include <utility>

#include "platform/config/schema.h"

namespace nandscape {

namespace {

// Returns whether `path` is the group itself or a key in it.
bool lies_in(const std::string& path, const std::string& group) {
  return path.starts_with(group) && (path.size() == group.size() || path[group.size()] == '.');
}

class UnreadKeys final : public ParameterVisitor {
 public:
  struct Reason {
    std::string because;
    std::vector<std::string> paths;  // paths that are not read
  };

  std::vector<Reason> reasons;
  KeyPaths declared;
  KeyPaths visited;

  void unread_if(bool unread, std::initializer_list<std::string_view> keys, std::string_view because) override {
    Reason reason{join_path(path_, because), {}};
    for (const std::string_view key : keys) {
      reason.paths.push_back(join_path(path_, key));
      declared.insert(reason.paths.back());
    }
    if (unread) reasons.push_back(std::move(reason));
  }

 protected:
  void visit_boolean(const ParameterInfo& info, bool&) override { visit(info); }
  void visit_integer(const ParameterInfo& info, std::int64_t&, IntegerRange) override { visit(info); }
  void visit_real(const ParameterInfo& info, double&, RealRange) override { visit(info); }
  void visit_text(const ParameterInfo& info, std::string&) override { visit(info); }
  void visit_choice(const ParameterInfo& info, std::string&, const std::vector<Choice>&) override { visit(info); }
  void visit_reals(const ParameterInfo& info, std::vector<double>&, RealRange) override { visit(info); }
  void visit_texts(const ParameterInfo& info, std::vector<std::string>&) override { visit(info); }
  void visit_variant(const ParameterInfo& info, VariantChoice& value, const VariantFamily&) override {
    visit(info);
    if (value.parameters != nullptr) value.parameters->visit(*this);
  }
  bool enter_group(const ParameterInfo& info) override {
    visit(info);
    outer_.push_back(std::exchange(path_, join_path(path_, info.key)));
    return true;
  }
  void leave_group() override {
    path_ = std::move(outer_.back());
    outer_.pop_back();
  }
  // The items of lists are skipped, since no declaration of unread keys names keys in them.
  std::size_t enter_list(const ParameterInfo&, std::size_t size) override { return size; }
  bool enter_item(std::size_t) override { return false; }
  void leave_item() override {}
  void leave_list() override {}

 private:
  void visit(const ParameterInfo& info) { visited.insert(join_path(path_, info.key)); }

  std::string path_;
  std::vector<std::string> outer_;
};

// Returns the first four keys as text, followed by the number of the remaining keys.
std::string text_of(const std::vector<std::string>& keys) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(keys.size(), most); ++k) {
    const bool last = k + 1 == keys.size();
    text += (k == 0 ? "" : last ? " and " : ", ") + keys[k];
  }
  return keys.size() <= most ? text : text + " and " + std::to_string(keys.size() - most) + " more keys";
}

}  // namespace

KeyPaths keys_of(const Value& tree, const std::string& file, const std::string& path) {
  KeyPaths keys;
  const auto add = [&](const Value& value, const std::string& key) {
    keys.merge(keys_of(value, file, join_path(path, key)));
  };
  if (const Value::Map* entries = tree.map_items()) {
    for (const auto& [key, value] : *entries) add(value, key);
  } else if (file.empty() || tree.source.file == file) {
    keys.insert(path);
  }
  return keys;
}

std::vector<std::string> ignored_keys(PlatformParameters parameters, const KeyPaths& given) {
  std::vector<std::string> lines;
  if (given.empty()) return lines;
  UnreadKeys unread;
  describe(parameters, unread);
  KeyPaths told;
  for (const UnreadKeys::Reason& reason : unread.reasons) {
    std::vector<std::string> keys;
    for (const std::string& key : given) {
      const auto in = [&key](const std::string& path) { return lies_in(key, path); };
      if (std::any_of(reason.paths.begin(), reason.paths.end(), in) && told.insert(key).second) keys.push_back(key);
    }
    if (keys.empty()) continue;
    lines.push_back(text_of(keys) + (keys.size() == 1 ? " does" : " do") + " nothing, since " + reason.because);
  }
  return lines;
}

KeyPaths declared_in_vain() {
  PlatformParameters parameters;
  UnreadKeys unread;
  describe(parameters, unread);
  KeyPaths vain;
  std::set_difference(unread.declared.begin(), unread.declared.end(), unread.visited.begin(), unread.visited.end(),
                      std::inserter(vain, vain.end()));
  return vain;
}

}  // namespace nandscape
