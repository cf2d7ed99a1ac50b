// SPDX-License-Identifier: Apache-2.0
#include "ecc.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "interruptible.h"
#include "platform/config/code_tables.h"
#include "platform/studies/code_characterisation.h"
#include "platform/studies/ecc_study.h"

namespace nandscape::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;
using Bytes = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>;
using Llr = py::array_t<std::int8_t, py::array::c_style | py::array::forcecast>;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Counts = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

template <class T>
std::span<const T> elements(const py::array_t<T, py::array::c_style | py::array::forcecast>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

std::span<std::byte> bytes_of(py::array_t<std::uint8_t>& array) {
  return std::as_writable_bytes(std::span(array.mutable_data(), static_cast<std::size_t>(array.size())));
}

py::array_t<std::uint8_t> copied(const Bytes& array) {
  py::array_t<std::uint8_t> copy({array.shape(0), array.shape(1)});
  std::copy_n(array.data(), array.size(), copy.mutable_data());
  return copy;
}

py::array_t<std::uint8_t> empty_rows(py::ssize_t rows, std::uint32_t columns) {
  return py::array_t<std::uint8_t>({rows, static_cast<py::ssize_t>(columns)});
}

py::array_t<std::uint8_t> encode(CodeStudy& code, const Bytes& payloads) {
  py::array_t<std::uint8_t> parities = empty_rows(payloads.shape(0), code.parity_bytes());
  const std::span<std::byte> to = bytes_of(parities);
  interruptible([&] { code.encode(std::as_bytes(elements(payloads)), to); });
  return parities;
}

// Returns a tuple of the payloads, the parities, and three arrays with one element per codeword: whether it was
// corrected, the number of corrected bits, and the number of decoder iterations.
py::tuple decoded(const py::array_t<std::uint8_t>& payloads, const py::array_t<std::uint8_t>& parities,
                  const std::vector<ecc::DecodeOutcome>& outcomes) {
  const auto count = static_cast<py::ssize_t>(outcomes.size());
  py::array_t<bool> corrected(count);
  py::array_t<std::uint32_t> bits(count), iterations(count);
  for (py::ssize_t k = 0; k < count; ++k) {
    const ecc::DecodeOutcome& outcome = outcomes[static_cast<std::size_t>(k)];
    corrected.mutable_at(k) = outcome.corrected;
    bits.mutable_at(k) = outcome.corrected_bits;
    iterations.mutable_at(k) = outcome.iterations;
  }
  return py::make_tuple(payloads, parities, corrected, bits, iterations);
}

py::tuple decode(CodeStudy& code, const Bytes& read_payloads, const Bytes& read_parities) {
  py::array_t<std::uint8_t> payloads = copied(read_payloads), parities = copied(read_parities);
  const std::span<std::byte> payload_bytes = bytes_of(payloads), parity_bytes = bytes_of(parities);
  const auto outcomes = interruptible([&] { return code.decode(payload_bytes, parity_bytes); });
  return decoded(payloads, parities, outcomes);
}

py::tuple decode_soft(CodeStudy& code, const Llr& llr) {
  py::array_t<std::uint8_t> payloads = empty_rows(llr.shape(0), code.payload_bytes());
  py::array_t<std::uint8_t> parities = empty_rows(llr.shape(0), code.parity_bytes());
  const std::span<std::byte> payload_bytes = bytes_of(payloads), parity_bytes = bytes_of(parities);
  const auto outcomes = interruptible([&] { return code.decode_soft(elements(llr), payload_bytes, parity_bytes); });
  return decoded(payloads, parities, outcomes);
}

py::array_t<std::uint32_t> ones_of(const std::string& name) {
  const std::vector<ParityCheck> ones = interruptible([&] { return parity_checks(name); });
  py::array_t<std::uint32_t> pairs({ones.size(), std::size_t{2}});
  auto at = pairs.mutable_unchecked<2>();
  for (std::size_t k = 0; k < ones.size(); ++k) {
    at(static_cast<py::ssize_t>(k), 0) = ones[k].first;
    at(static_cast<py::ssize_t>(k), 1) = ones[k].second;
  }
  return pairs;
}

// Calls `call` with each number, and returns the results in an array with the shape of `numbers`.
template <class Array, class Call>
py::array_t<double> each(const Array& numbers, const Call& call) {
  return in_shape_of(numbers, interruptible([&] {
                       std::vector<double> values;
                       values.reserve(static_cast<std::size_t>(numbers.size()));
                       for (const auto number : elements(numbers)) {
                         interruption_point();
                         values.push_back(call(number));
                       }
                       return values;
                     }));
}

// Calls `call` with each raw bit error rate. Returns three arrays: the estimated rates, and the lower and the upper
// bounds of their confidence intervals.
template <class Call>
py::tuple estimates(const Numbers& rbers, const Call& call) {
  std::vector<double> rate, low, high;
  interruptible([&] {
    for (const double rber : elements(rbers)) {
      interruption_point();
      const ecc::RateEstimate estimate = call(rber);
      rate.push_back(estimate.rate);
      low.push_back(estimate.low);
      high.push_back(estimate.high);
    }
  });
  return py::make_tuple(in_shape_of(rbers, std::move(rate)), in_shape_of(rbers, std::move(low)),
                        in_shape_of(rbers, std::move(high)));
}

// Returns an array with one row per measurement. Its columns are the number of sensing levels, the number of raw
// errors, and the numbers of frames, failures and miscorrections.
py::array_t<std::uint64_t> measured_counts(const ecc::CodeTable& table) {
  std::vector<std::uint64_t> values;
  for (const auto& [levels, rows] : table.measurement().by_levels) {
    for (const auto& [errors, m] : rows) {
      for (const std::uint64_t number :
           {std::uint64_t{levels}, std::uint64_t{errors}, m.frames, m.failures, m.miscorrections}) {
        values.push_back(number);
      }
    }
  }
  const auto rows = static_cast<py::ssize_t>(values.size()) / 5;
  return to_array(std::move(values)).reshape({rows, py::ssize_t{5}});
}

// Returns, for each row of measured_counts(), the bounds of the failure rate's confidence interval, and the mean and
// the standard deviation of the iterations.
py::array_t<double> measured_rates(const ecc::CodeTable& table) {
  std::vector<double> values;
  for (const auto& [levels, rows] : table.measurement().by_levels) {
    for (const auto& [errors, m] : rows) {
      const ecc::RateEstimate rate = ecc::estimate_rate(m.failures, m.frames);
      for (const double number : {rate.low, rate.high, m.mean_iterations(), m.iterations_deviation()}) {
        values.push_back(number);
      }
    }
  }
  const auto rows = static_cast<py::ssize_t>(values.size()) / 4;
  return to_array(std::move(values)).reshape({rows, py::ssize_t{4}});
}

void bind_codes(py::module_& m) {
  m.def("list_codes", [] {
    std::vector<std::string> names;
    for (const ecc::Code& code : ecc::shipped_codes()) names.push_back(to_string(code));
    return names;
  });
  py::class_<CodeStudy>(m, "CodeStudy")
      .def(py::init([](const std::string& name) {
             return interruptible([&] { return std::make_unique<CodeStudy>(name); });
           }),
           "name"_a)
      .def_property_readonly("name", [](const CodeStudy& c) { return to_string(c.code()); })
      .def_property_readonly("payload_bytes", &CodeStudy::payload_bytes)
      .def_property_readonly("parity_bytes", &CodeStudy::parity_bytes)
      .def_property_readonly("codeword_bits", &CodeStudy::codeword_bits)
      .def_property_readonly("correctable_bits", &CodeStudy::guaranteed_errors)
      .def_property_readonly("is_algebraic", [](const CodeStudy& c) { return c.guaranteed_errors() > 0; })
      .def("encode", &encode, "payloads"_a)
      .def("decode", &decode, "payloads"_a, "parities"_a)
      .def("decode_soft", &decode_soft, "llr"_a);
  m.def("parity_checks", &ones_of, "name"_a);
  m.def(
      "sensed_llr",
      [](const Bytes& bits, double rber, std::uint32_t levels, std::uint64_t seed) {
        return in_shape_of(bits, interruptible([&] { return sensed_llr(elements(bits), rber, levels, seed); }));
      },
      "bits"_a, "rber"_a, "levels"_a, "seed"_a);
}

void bind_tables(py::module_& m) {
  py::class_<ecc::CodeTable>(m, "CodeTable")
      .def_property_readonly("code", [](const ecc::CodeTable& t) { return to_string(t.code()); })
      .def_property_readonly("payload_bytes", &ecc::CodeTable::payload_bytes)
      .def_property_readonly("codeword_bits", &ecc::CodeTable::codeword_bits)
      .def_property_readonly("measured_counts", &measured_counts)
      .def_property_readonly("measured_rates", &measured_rates)
      .def(
          "failure_probability",
          [](const ecc::CodeTable& t, std::uint32_t levels, const Counts& errors) {
            return each(errors, [&](std::uint32_t e) { return t.failure_probability(levels, e); });
          },
          "levels"_a, "errors"_a)
      .def(
          "mean_iterations",
          [](const ecc::CodeTable& t, std::uint32_t levels, const Counts& errors) {
            return each(errors, [&](std::uint32_t e) { return t.mean_iterations(levels, e); });
          },
          "levels"_a, "errors"_a)
      .def(
          "mean_iterations_at",
          [](const ecc::CodeTable& t, std::uint32_t levels, const Numbers& rbers) {
            return each(rbers, [&](double rber) { return t.mean_iterations_at(levels, rber); });
          },
          "levels"_a, "rber"_a)
      .def(
          "frame_error_rate",
          [](const ecc::CodeTable& t, std::uint32_t levels, const Numbers& rbers) {
            return estimates(rbers, [&](double rber) { return t.frame_error_rate(levels, rber); });
          },
          "levels"_a, "rber"_a)
      .def(
          "rber_at",
          [](const ecc::CodeTable& t, std::uint32_t levels, const Numbers& rates) {
            return each(rates, [&](double rate) { return t.rber_at(levels, rate); });
          },
          "levels"_a, "frame_error_rate"_a)
      .def(
          "rber_estimate_at",
          [](const ecc::CodeTable& t, std::uint32_t levels, const Numbers& rates) {
            return estimates(rates, [&](double rate) { return t.rber_estimate_at(levels, rate); });
          },
          "levels"_a, "frame_error_rate"_a)
      .def(
          "extrapolated_decades",
          [](const ecc::CodeTable& t, std::uint32_t levels, const Numbers& rbers) {
            return each(rbers, [&](double rber) { return t.extrapolated_decades(levels, rber); });
          },
          "levels"_a, "rber"_a);
  m.def(
      "code_table",
      [](const std::string& code_or_file) { return interruptible([&] { return code_table(code_or_file); }); },
      "code_or_file"_a);
  m.def("list_code_tables", &list_code_tables);
  m.def(
      "set_code_table_folder", [](const std::string& folder) { set_code_table_folder(folder); }, "folder"_a);
}

void bind_characterisation(py::module_& m) {
  py::class_<ecc::CharacterisationGoal>(m, "CharacterisationGoal")
      .def(py::init<double, double, std::uint32_t>(), "frame_error_rate"_a, "relative_error"_a, "frames"_a);
  py::class_<CodeCharacterisation>(m, "CodeCharacterisation")
      .def(py::init([](const std::string& code, const std::string& file, std::uint64_t seed, std::uint32_t threads) {
             return interruptible([&] { return std::make_unique<CodeCharacterisation>(code, file, seed, threads); });
           }),
           "code"_a, "file"_a, "seed"_a, "threads"_a)
      .def_property_readonly("algebraic", &CodeCharacterisation::algebraic)
      .def(
          "advance",
          [](CodeCharacterisation& c, std::uint32_t levels, const ecc::CharacterisationGoal& goal) {
            return interruptible([&] { return c.advance(levels, goal); });
          },
          "levels"_a, "goal"_a)
      .def("finished", &CodeCharacterisation::finished, "levels"_a, "goal"_a)
      .def("relative_error", &CodeCharacterisation::relative_error, "levels"_a, "frame_error_rate"_a)
      .def("frames", &CodeCharacterisation::frames, "levels"_a)
      .def("save", &CodeCharacterisation::save);
}

void bind_uber(py::module_& m) {
  m.def(
      "uber",
      [](const Numbers& rbers, std::uint32_t codeword_bits, std::uint32_t user_bits, std::uint32_t correctable) {
        const ecc::BlockCode code = {codeword_bits, user_bits, correctable};
        return each(rbers, [&](double rber) { return uncorrectable_error_rate(code, rber); });
      },
      "rber"_a, "codeword_bits"_a, "user_bits"_a, "correctable"_a);
  m.def(
      "tolerable_rber",
      [](double uber, std::uint32_t codeword_bits, std::uint32_t user_bits, std::uint32_t correctable) {
        return interruptible([&] { return tolerable_error_rate({codeword_bits, user_bits, correctable}, uber); });
      },
      "uber"_a, "codeword_bits"_a, "user_bits"_a, "correctable"_a);
}

}  // namespace

void bind_ecc(py::module_& m) {
  bind_codes(m);
  bind_tables(m);
  bind_characterisation(m);
  bind_uber(m);
}

}  // namespace nandscape::python
