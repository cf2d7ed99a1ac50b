// SPDX-License-Identifier: Apache-2.0
#include "platform/config/content_tables.h"

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "controller/content/cdber_engine.h"
#include "core/error.h"
#include "platform/config/configuration.h"

namespace nandscape {
namespace {

using controller::PairedPage;

constexpr std::uint32_t cells = 16384;
constexpr std::array steps_mv{300.0, 380.0, 460.0, 540.0, 600.0, 680.0};

nand::NandParameters parameters_of(const char* cell_set, const char* coding) {
  const std::vector<Override> changes{{"nand.cells.set", Value(std::string(cell_set))},
                                      {"nand.coding", Value(std::string(coding))}};
  return load_configuration("bare", changes).parameters.nand;
}

TEST_CASE("content tables: agree with the paper within a tenth") {
  const ContentTables tables(parameters_of("mlc_planar_15k", "mlc_13"), {});
  const auto codes = segment_codes_of_4_kb();
  const controller::CdberEngine speeds(std::make_shared<controller::WordlineSpeedTable>(
                                           tables.write_speeds(steps_mv, correctable_ber(codes.front(), 1e-7))),
                                       cells, controller::ContentBound::relaxed);
  const std::array<double, 5> msb{15025, 7865, 4506, 2868, 1573}, lsb{11682, 5817, 3048, 1704, 639};
  for (std::uint32_t step = 1; step < steps_mv.size(); ++step) {
    CAPTURE(step);
    CHECK(static_cast<double>(speeds.most_weak_cells(PairedPage::msb, step)) == Approx(msb[step - 1]).epsilon(0.1));
    CHECK(static_cast<double>(speeds.most_weak_cells(PairedPage::lsb, step)) == Approx(lsb[step - 1]).epsilon(0.1));
    CHECK(controller::bounded_by_relaxed(error_rates(speeds.speeds().steps()[step])));
  }
  const auto segments = tables.segments(codes, 1e-7, 0, cells, controller::CoveredSegments::finest);
  const std::array<double, 3> by_code{16221, 9143, 2704};
  for (std::uint32_t code = 1; code <= by_code.size(); ++code) {
    const auto most = static_cast<double>(segments.most_weak_cells(PairedPage::lsb, code));
    CHECK(most == Approx(by_code[code - 1]).epsilon(0.1));
  }
}

TEST_CASE("content tables: other codings and numbers out of range are refused") {
  CHECK_THROWS_AS(ContentTables(parameters_of("mlc_planar_15k", "mlc_12"), {}), ConfigError);
  CHECK_THROWS_AS(ContentTables(parameters_of("tlc_3d_48", "tlc_232"), {}), ConfigError);
  CHECK_THROWS_AS(ContentTables(parameters_of("mlc_planar_15k", "mlc_13"), {.pe_cycles = -1}), std::invalid_argument);
  CHECK_THROWS_AS(correctable_ber({1, {100, 200, 1}, 0}, 1e-7), std::invalid_argument);
  CHECK_THROWS_AS(correctable_ber({1, {200, 100, 1}, 0}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape
