// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/root_search_tables.h"

#include <algorithm>
#include <bit>

namespace nandscape::ecc {

namespace {

using Element = GaloisField::Element;

Element sum_at(const std::vector<Element>& basis, std::size_t point) {
  Element sum = 0;
  for (std::size_t j = 0; j < basis.size(); ++j) {
    if (point >> j & 1) sum ^= basis[j];
  }
  return sum;
}

// Computes all sums of the elements of a basis and raises each sum to `power`. Returns the results as bit planes.
CacheLineVector<std::uint64_t> planes_of_sums(const GaloisField& field, const std::vector<Element>& basis,
                                              std::uint32_t power) {
  const std::size_t points = std::size_t{1} << basis.size();
  CacheLineVector<std::uint64_t> planes(points / block_points * field.degree() * plane_words);
  for (std::size_t point = 0; point < points; ++point) {
    const Element sum = sum_at(basis, point);
    Element value = 1;
    for (std::uint32_t i = 0; i < power; ++i) value = field.multiply(value, sum);
    std::uint64_t* const block = &planes[point / block_points * field.degree() * plane_words];
    for (std::uint32_t q = 0; q < field.degree(); ++q) {
      block[q * plane_words + point % block_points / 64] |= std::uint64_t{value >> q & 1u} << point % 64;
    }
  }
  return planes;
}

std::vector<RootSearchTables::BasisElement> multiples_of(const GaloisField& field, const std::vector<Element>& basis) {
  std::vector<RootSearchTables::BasisElement> elements;
  for (const Element b : basis) {
    RootSearchTables::BasisElement& element = elements.emplace_back();
    for (std::uint32_t i = 0; i < 16; ++i) {
      element.multiples[i] = field.multiply(b, field.power(i));
      element.multiples_of_square[i] = field.multiply(field.square(b), field.power(i));
    }
  }
  return elements;
}

// The number of 16-bit elements in the widest vector.
constexpr std::size_t vector_lanes = 32;

// Returns the largest degree that is reduced to 2 or less by this number of halvings.
constexpr std::uint32_t max_degree_of(std::uint32_t levels) { return (3u << levels) - 1; }

}  // namespace

RootSearchTables::RootSearchTables(const GaloisField& field, std::uint32_t max_degree)
    : dimensions(std::max(field.degree(), block_dimensions)),
      blocks(std::size_t{1} << (dimensions - block_dimensions)) {
  // The basis is 1, x, ..., x^(m-1), so the index of a point equals the field element. If the field has fewer elements
  // than a block has points, zeros are appended to the basis, and the points are repeated.
  std::vector<Element> basis(dimensions);
  for (std::uint32_t j = 0; j < field.degree(); ++j) basis[j] = static_cast<Element>(1u << j);

  std::uint32_t last = 0;
  while (max_degree_of(last) < max_degree && last < dimensions - block_dimensions) ++last;
  max_coefficients = std::bit_ceil(std::size_t{max_degree} + 1);
  twist_stride = std::max(vector_lanes, max_coefficients);
  slope_stride = std::max(vector_lanes, std::size_t{1} << last);

  for (std::uint32_t level = 0; level < last; ++level) {
    const Element factor = basis.back();
    Level& tables = levels.emplace_back();
    for (std::uint32_t q = 0; q < field.degree(); ++q) {
      for (std::size_t i = 0; i < twist_stride; ++i) {
        tables.twist.push_back(field.power(field.logarithm(factor) * (i >> level) + q));
      }
    }
    bottoms.push_back({multiples_of(field, basis), {}});
    basis.pop_back();
    for (Element& element : basis) element = field.divide(element, factor);
    tables.points = planes_of_sums(field, basis, 1);
    for (Element& element : basis) element ^= field.square(element);
  }
  bottoms.push_back({multiples_of(field, basis), {}});
  if (max_degree > max_degree_of(last)) bottoms.back().cubes = planes_of_sums(field, basis, 3);
}

std::uint32_t RootSearchTables::levels_for(std::uint32_t polynomial_degree) const {
  std::uint32_t count = 0;
  while (count < levels.size() && max_degree_of(count) < polynomial_degree) ++count;
  return count;
}

}  // namespace nandscape::ecc
