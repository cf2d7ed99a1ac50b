// SPDX-License-Identifier: Apache-2.0
// Parameters of the read-recovery policy `soft`.
#pragma once

#include "controller/reading/parameters.h"
#include "controller/reading/read_recovery.h"

namespace nandscape {

inline ReadRetryParameters with_soft_reads(std::uint32_t levels, bool keep_senses = false) {
  struct Assign final : ParameterVisitor {
    void visit_integer(const ParameterInfo&, std::int64_t& value, IntegerRange) override { value = most; }
    void visit_boolean(const ParameterInfo&, bool& value) override { value = keeps; }
    void visit_real(const ParameterInfo&, double&, RealRange) override {}
    void visit_text(const ParameterInfo&, std::string&) override {}
    void visit_choice(const ParameterInfo&, std::string&, const std::vector<Choice>&) override {}
    void visit_variant(const ParameterInfo&, VariantChoice&, const VariantFamily&) override {}
    void visit_reals(const ParameterInfo&, std::vector<double>&, RealRange) override {}
    bool enter_group(const ParameterInfo&) override { return false; }
    void leave_group() override {}
    std::size_t enter_list(const ParameterInfo&, std::size_t size) override { return size; }
    bool enter_item(std::size_t) override { return false; }
    void leave_item() override {}
    void leave_list() override {}

    std::int64_t most = 0;
    bool keeps = false;
  } assign;
  assign.most = levels;
  assign.keeps = keep_senses;
  ReadRetryParameters parameters;
  parameters.policy = {"soft", read_recovery_registry().make_parameters("soft")};
  parameters.policy.parameters->visit(assign);
  return parameters;
}

}  // namespace nandscape
