// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/layout_contents.hpp"

#include <algorithm>
#include <array>

#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

/// How many of each: integers, addresses, large counts, datatypes.
using Sizes = std::array<MPI_Count, 4>;

struct Raw {
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> counts;
};

bool predefined_combiner(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX;
}

// The calls for large counts know all datatypes, and are there or not. They are templates only to be asked for.
template <typename Type>
void envelope_of(Type type, Sizes& sizes, int& combiner) {
  if constexpr (requires { PMPI_Type_get_envelope_c(type, &sizes[0], &sizes[1], &sizes[2], &sizes[3], &combiner); }) {
    platform::must("MPI_Type_get_envelope_c",
                   PMPI_Type_get_envelope_c(type, &sizes[0], &sizes[1], &sizes[2], &sizes[3], &combiner));
  } else {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    platform::must("MPI_Type_get_envelope", PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    sizes = {integers, addresses, 0, types};
  }
}

template <typename Type>
void contents_of(Type type, const Sizes& sizes, Raw& raw, std::vector<MPI_Datatype>& types) {
  if constexpr (requires {
                  PMPI_Type_get_contents_c(type, sizes[0], sizes[1], sizes[2], sizes[3], raw.integers.data(),
                                           raw.addresses.data(), raw.counts.data(), types.data());
                }) {
    platform::must("MPI_Type_get_contents_c",
                   PMPI_Type_get_contents_c(type, sizes[0], sizes[1], sizes[2], sizes[3], raw.integers.data(),
                                            raw.addresses.data(), raw.counts.data(), types.data()));
  } else {
    platform::must(
        "MPI_Type_get_contents",
        PMPI_Type_get_contents(type, static_cast<int>(sizes[0]), static_cast<int>(sizes[1]), static_cast<int>(sizes[3]),
                               raw.integers.data(), raw.addresses.data(), types.data()));
  }
}

/// Integers, addresses and large counts follow one another as the parameters do, but where an array of large counts
/// stands among the integers.
std::vector<MPI_Count> in_order(int combiner, const Raw& raw) {
  std::vector<MPI_Count> numbers(raw.integers.begin(), raw.integers.end());
  auto large_at = numbers.end();
  if (combiner == MPI_COMBINER_SUBARRAY) large_at = numbers.begin() + 1;  // ndims; sizes, subsizes, starts; order
  if (combiner == MPI_COMBINER_DARRAY) large_at = numbers.begin() + 3;    // size, rank, ndims; gsizes; the rest
  numbers.insert(large_at, raw.counts.begin(), raw.counts.end());
  numbers.insert(numbers.end(), raw.addresses.begin(), raw.addresses.end());
  return numbers;
}

}  // namespace

Contents::Contents(MPI_Datatype type) {
  Sizes sizes{};
  envelope_of(type, sizes, combiner);
  if (predefined()) return;
  Raw raw{std::vector<int>(static_cast<std::size_t>(sizes[0])),
          std::vector<MPI_Aint>(static_cast<std::size_t>(sizes[1])),
          std::vector<MPI_Count>(static_cast<std::size_t>(sizes[2]))};
  types.assign(static_cast<std::size_t>(sizes[3]), MPI_DATATYPE_NULL);
  contents_of(type, sizes, raw, types);
  numbers = in_order(combiner, raw);
}

Contents::~Contents() {
  for (MPI_Datatype& type : types) {
    Sizes sizes{};
    int made_by = MPI_COMBINER_NAMED;
    envelope_of(type, sizes, made_by);
    if (!predefined_combiner(made_by)) platform::regardless(PMPI_Type_free(&type));
  }
}

bool Contents::predefined() const { return predefined_combiner(combiner); }

}  // namespace raddle::endpoints
