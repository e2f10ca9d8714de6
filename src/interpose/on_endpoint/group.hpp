// SPDX-License-Identifier: BSD-3-Clause
// Groups of endpoints: MPI-4.1 section 7.3. Of several groups at least one names endpoints; the others may be the
// MPI's.
#pragma once

#include <mpi.h>

#include "endpoints/group.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Group;

int Group_compare(const Group& found, MPI_Group one, MPI_Group other, int* result);
int Group_difference(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made);
int Group_excl(const Group& group, int count, const int* ranks, MPI_Group* made);
int Group_free(Group& found, MPI_Group* group);
int Group_incl(const Group& group, int count, const int* ranks, MPI_Group* made);
int Group_intersection(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made);
int Group_range_excl(const Group& group, int count, const int (*ranges)[3], MPI_Group* made);
int Group_range_incl(const Group& group, int count, const int (*ranges)[3], MPI_Group* made);
int Group_rank(const Group& group, int* rank);
int Group_size(const Group& group, int* size);
int Group_translate_ranks(const Group& found, MPI_Group of, int count, const int* ranks, MPI_Group in, int* translated);
int Group_union(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made);

}  // namespace raddle::interpose::on_endpoint
