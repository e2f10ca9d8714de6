// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/predefined.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace raddle::proxy {
namespace {

std::span<const MPI_Datatype> datatypes() {
  static const MPI_Datatype all[] = {
      // not constants in every MPI
      MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_BYTE, MPI_WCHAR, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT,
      MPI_UNSIGNED, MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_FLOAT, MPI_DOUBLE,
      MPI_LONG_DOUBLE, MPI_INT8_T, MPI_UINT8_T, MPI_INT16_T, MPI_UINT16_T, MPI_INT32_T, MPI_UINT32_T, MPI_INT64_T,
      MPI_UINT64_T, MPI_C_BOOL, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_BOOL,
      MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX, MPI_AINT, MPI_OFFSET, MPI_COUNT,
      MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_2INT, MPI_LONG_DOUBLE_INT,
      // Fortran's; null where the MPI was built without
      MPI_INTEGER, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_LOGICAL, MPI_2REAL,
      MPI_2DOUBLE_PRECISION, MPI_2INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, MPI_REAL4,
      MPI_REAL8};
  return all;
}

std::span<const MPI_Op> operators() {
  static const MPI_Op all[] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                               MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  return all;
}

template <typename Handle>
std::int32_t find(std::span<const Handle> all, Handle handle, Handle null) {
  if (handle == null) return -1;
  const auto found = std::ranges::find(all, handle);
  return found == all.end() ? -1 : static_cast<std::int32_t>(found - all.begin());
}

template <typename Handle>
Handle get(std::span<const Handle> all, std::int32_t number, Handle null) {
  return number >= 0 && static_cast<std::size_t>(number) < all.size() ? all[static_cast<std::size_t>(number)] : null;
}

}  // namespace

std::int32_t number_of_datatype(MPI_Datatype type) { return find(datatypes(), type, MPI_Datatype{MPI_DATATYPE_NULL}); }
std::int32_t number_of_op(MPI_Op op) { return find(operators(), op, MPI_Op{MPI_OP_NULL}); }
MPI_Datatype datatype_of(std::int32_t number) { return get(datatypes(), number, MPI_Datatype{MPI_DATATYPE_NULL}); }
MPI_Op op_of(std::int32_t number) { return get(operators(), number, MPI_Op{MPI_OP_NULL}); }

}  // namespace raddle::proxy
