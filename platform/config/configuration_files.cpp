// SPDX-License-Identifier: Apache-2.0
#include "platform/config/cell_sets.h"

#include <string>
#include <string_view>
#include <utility>

#include "nand/cells/parameters.h"
#include "platform/config/configuration.h"
#include "platform/config/named_files.h"
#include "platform/config/tree_merge.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

constexpr const char* set_path = "nand.cells.set";

NamedFiles& cell_sets() {
  static NamedFiles files("cell set", NANDSCAPE_CELL_SET_FOLDER);
  return files;
}

const Value* cells_of(const Value& tree) {
  const Value* nand = tree.find("nand");
  return nand != nullptr ? nand->find("cells") : nullptr;
}

const Value* set_of(const Value& tree) {
  const Value* cells = cells_of(tree);
  return cells != nullptr ? cells->find("set") : nullptr;
}

// The group `key` of another group, made if it is missing. Null if the key has another type; the reader reports that.
Value* group_in(Value* group, std::string_view key) {
  if (group == nullptr || (!group->is_null() && group->map_items() == nullptr)) return nullptr;
  const bool given = group->find(key) != nullptr;
  Value& inner = (*group)[key];
  if (!given) inner.source = group->source;
  if (inner.is_null()) {
    const SourceLocation source = inner.source;
    inner = Value::map();
    inner.source = source;
  }
  return inner.map_items() != nullptr ? &inner : nullptr;
}

Value read_cell_set(const std::string& name, const SourceLocation& where) {
  Value constants = cell_sets().read(name, where, set_path);
  if (const Value* set = constants.find("set")) {
    throw ConfigError(set->source, set_path, "a cell set cannot extend another one");
  }
  return constants;
}

}  // namespace

void leave_cell_set(Value& base, const Value& overlay) {
  const Value* chosen = set_of(overlay);
  if (chosen == nullptr || cells_of(base) == nullptr) return;
  const Value* current = set_of(base);
  if (*chosen == (current != nullptr ? *current : Value(nand::CellParameters().set))) return;
  base["nand"]["cells"] = Value::map();
}

void lay_cell_set(Value& tree, const SchemaNode& schema) {
  const SchemaNode& cells_schema = *schema.child("nand")->child("cells");
  Value* cells = group_in(group_in(&tree, "nand"), "cells");
  if (cells == nullptr || gives_all(*cells, cells_schema)) return;
  const Value* set = cells->find("set");
  if (set != nullptr && set->text() == nullptr) return;  // the reader reports it
  Value constants =
      set != nullptr ? read_cell_set(*set->text(), set->source) : read_cell_set(nand::CellParameters().set, {});
  merge_tree(constants, *cells, cells_schema);
  *cells = std::move(constants);
}

std::vector<std::pair<std::string, std::string>> list_cell_sets() { return cell_sets().list(); }

fs::path cell_set_folder() { return cell_sets().folder(); }

void set_cell_set_folder(fs::path folder) { cell_sets().set_folder(std::move(folder)); }

}  // namespace nandscape
