// SPDX-License-Identifier: BSD-3-Clause
// Sessions of ranks that threads have adopted, and communicators that are made of groups alone (MPI-4.1 sections 11.3,
// 7.4.2 and 7.6.2).
#include <gtest/gtest.h>
#include <mpi.h>

#ifdef MPI_SESSION_NULL

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {
namespace {

// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): it does not know sessions

constexpr int each_has = 2;

/// Runs `act(index)` as each rank of this process, which runs a whole program, each in a thread.
template <typename Act>
void as_programs(Act&& act) {
  std::array<Raddle_Rank, each_has> ranks{};
  ASSERT_EQ(Raddle_Ranks_create(each_has, ranks.data()), MPI_SUCCESS);
  Raddle_Ranks_run_programs(each_has, ranks.data());
  std::vector<std::thread> threads;
  for (int i = 0; i < each_has; ++i) {
    threads.emplace_back([&, i] {
      Raddle_Rank_adopt(ranks[static_cast<std::size_t>(i)]);
      act(i);
      Raddle_Rank_adopt(nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

MPI_Session begin(MPI_Errhandler handler = MPI_ERRORS_RETURN) {
  MPI_Session session = MPI_SESSION_NULL;
  EXPECT_EQ(MPI_Session_init(MPI_INFO_NULL, handler, &session), MPI_SUCCESS);
  return session;
}

MPI_Group group_of(MPI_Session session, const char* set) {
  MPI_Group group = MPI_GROUP_NULL;
  EXPECT_EQ(MPI_Group_from_session_pset(session, set, &group), MPI_SUCCESS);
  return group;
}

MPI_Comm made_of(MPI_Group group, const char* text, MPI_Errhandler handler = MPI_ERRORS_RETURN) {
  MPI_Comm made = MPI_COMM_NULL;
  EXPECT_EQ(MPI_Comm_create_from_group(group, text, MPI_INFO_NULL, handler, &made), MPI_SUCCESS);
  return made;
}

MPI_Comm made_of(MPI_Session session, const char* set, const char* text) {
  MPI_Group group = group_of(session, set);
  const MPI_Comm made = made_of(group, text);
  MPI_Group_free(&group);
  return made;
}

int sum_in(MPI_Comm comm, int value) {
  int sum = -1;
  EXPECT_EQ(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
  return sum;
}

/// Of the ranks of these tests, in all processes.
int all_ranks() {
  static const int all = [] {
    int processes = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    return each_has * processes;
  }();
  return all;
}

TEST(Sessions, AreEnoughForAProgram) {
  const int all = all_ranks();
  as_programs([&](int) {
    MPI_Session session = begin();
    MPI_Comm world = made_of(session, "mpi://WORLD", "all");
    MPI_Comm self = made_of(session, "mpi://SELF", "alone");
    EXPECT_EQ(size_of(world), all);
    EXPECT_EQ(size_of(self), 1);
    EXPECT_EQ(sum_in(world, rank_in(world)), all * (all - 1) / 2);
    EXPECT_EQ(sum_in(self, 7), 7);
    const int rank = rank_in(world);
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % all, 1, &got, 1, MPI_INT, (rank + all - 1) % all, 1, world,
                 MPI_STATUS_IGNORE);
    EXPECT_EQ(got, (rank + all - 1) % all);
    Raddle_Rank own = nullptr;
    int flag = 0;
    Raddle_Rank_adopted(&own);
    Raddle_Rank_takes_part(own, &flag);
    EXPECT_EQ(flag, 1);
    MPI_Initialized(&flag);  // of the World Model only (section 11.2.1)
    EXPECT_EQ(flag, 0);
    MPI_Comm_free(&self);
    MPI_Comm_free(&world);
    EXPECT_EQ(MPI_Session_finalize(&session), MPI_SUCCESS);
    EXPECT_EQ(session, MPI_SESSION_NULL);
    Raddle_Rank_takes_part(own, &flag);
    EXPECT_EQ(flag, 0);
  });
}

TEST(Sessions, OutliveTheWorldModel) {
  const int all = all_ranks();
  const int expected = all * (all - 1) / 2;
  as_programs([&](int) {
    MPI_Session session = begin();
    MPI_Comm early = made_of(session, "mpi://WORLD", "early");
    EXPECT_EQ(sum_in(early, rank_in(early)), expected);
    MPI_Init(nullptr, nullptr);
    MPI_Comm meanwhile = made_of(session, "mpi://WORLD", "meanwhile");
    int likeness = MPI_UNEQUAL;
    MPI_Comm_compare(meanwhile, MPI_COMM_WORLD, &likeness);
    EXPECT_EQ(likeness, MPI_CONGRUENT);
    EXPECT_EQ(rank_in(meanwhile), rank_in(MPI_COMM_WORLD));
    MPI_Finalize();
    EXPECT_EQ(sum_in(early, rank_in(early)), expected);
    MPI_Comm late = made_of(session, "mpi://WORLD", "late");
    EXPECT_EQ(sum_in(late, rank_in(late)), expected);
    for (MPI_Comm comm : {early, meanwhile, late}) MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
  });
}

TEST(Sessions, TellTheirSets) {
  const int all = all_ranks();
  as_programs([&](int) {
    MPI_Session session = begin();
    int sets = 0;
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    ASSERT_EQ(sets, 2);
    std::vector<std::string> names;
    for (int i = 0; i < sets; ++i) {
      int length = 0;
      MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, nullptr);
      std::string name(static_cast<std::size_t>(length), '?');
      MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name.data());
      EXPECT_EQ(name.back(), '\0');
      name.pop_back();
      names.push_back(name);
      std::array<char, 5> part{};
      int room = 5;
      MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &room, part.data());
      EXPECT_STREQ(part.data(), "mpi:");
      EXPECT_EQ(room, length);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"mpi://WORLD", "mpi://SELF"}));
    for (const auto& [name, size] : {std::pair("mpi://world", all), std::pair("mpi://SELF", 1)}) {
      MPI_Info info = MPI_INFO_NULL;
      ASSERT_EQ(MPI_Session_get_pset_info(session, name, &info), MPI_SUCCESS);
      std::array<char, 20> value{};
      int found = 0;
      MPI_Info_get(info, "mpi_size", 19, value.data(), &found);
      EXPECT_EQ(found, 1);
      EXPECT_EQ(value.data(), std::to_string(size));
      MPI_Info_free(&info);
    }
    MPI_Session_finalize(&session);
  });
}

std::atomic<int> heard{0};
void hear_session(MPI_Session*, int*, ...) { ++heard; }
void hear_comm(MPI_Comm*, int*, ...) { ++heard; }

TEST(Sessions, RaiseErrorsThemselves) {
  as_programs([](int index) {
    if (index != 0) return;  // nothing here is collective
    heard = 0;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Session_create_errhandler(hear_session, &handler);
    MPI_Session session = begin(handler);
    MPI_Errhandler_free(&handler);
    MPI_Info info = MPI_INFO_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    int length = 0;
    EXPECT_EQ(class_of(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &length, nullptr)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 2, &length, nullptr)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(MPI_Session_get_pset_info(session, "mpi://NOWHERE", &info)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(MPI_Group_from_session_pset(session, "", &group)), MPI_ERR_ARG);
    EXPECT_EQ(heard, 4);
    MPI_Session_call_errhandler(session, MPI_ERR_ARG);
    EXPECT_EQ(heard, 5);
    MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN);
    EXPECT_EQ(class_of(MPI_Session_get_pset_info(session, "mpi://NOWHERE", &info)), MPI_ERR_ARG);
    EXPECT_EQ(heard, 5);
    MPI_Session_finalize(&session);
  });
}

TEST(FromGroups, CallsAreToldApartByTextAndRanks) {
  const int all = all_ranks();
  as_programs([&](int) {
    MPI_Session session = begin();
    MPI_Group world = group_of(session, "mpi://WORLD");
    int rank = -1;
    MPI_Group_rank(world, &rank);
    MPI_Group half = MPI_GROUP_NULL;
    int range[1][3] = {{rank % 2, all - 1, 2}};
    MPI_Group_range_incl(world, 1, range, &half);
    // Ranks of different halves do not wait for each other, whatever order they call in.
    std::array<const char*, 2> texts{"one", "another"};
    if (rank % 2 == 1) std::swap(texts[0], texts[1]);
    std::array<MPI_Comm, 2> made{};
    for (std::size_t i = 0; i < 2; ++i) made[i] = made_of(half, texts[i]);
    for (MPI_Comm& comm : made) {
      EXPECT_EQ(size_of(comm), all / 2);
      EXPECT_EQ(rank_in(comm), rank / 2);
      EXPECT_EQ(sum_in(comm, rank % 2), rank % 2 * all / 2);
      MPI_Comm_free(&comm);
    }
    MPI_Comm nobody = MPI_COMM_WORLD;
    EXPECT_EQ(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "none", MPI_INFO_NULL, MPI_ERRORS_RETURN, &nobody),
              MPI_SUCCESS);
    EXPECT_EQ(nobody, MPI_COMM_NULL);
    MPI_Group_free(&half);
    MPI_Group_free(&world);
    MPI_Session_finalize(&session);
  });
}

TEST(FromGroups, TheNewHandlerHearsWhatIsWrong) {
  const int all = all_ranks();
  as_programs([&](int index) {
    MPI_Session session = begin();
    MPI_Group world = group_of(session, "mpi://WORLD");
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(hear_comm, &handler);
    MPI_Comm comm = made_of(world, "heard", handler);
    heard = 0;
    sum_in(comm, 0);
    if (index == 0) {
      EXPECT_EQ(class_of(MPI_Send(nullptr, 0, MPI_INT, all, 0, comm)), MPI_ERR_RANK);
      EXPECT_EQ(heard, 1);
      int rank = -1;
      MPI_Group_rank(world, &rank);
      MPI_Group others = MPI_GROUP_NULL;
      MPI_Group_excl(world, 1, &rank, &others);
      MPI_Comm none = MPI_COMM_WORLD;
      EXPECT_EQ(class_of(MPI_Comm_create_from_group(others, "others", MPI_INFO_NULL, handler, &none)), MPI_ERR_GROUP);
      EXPECT_EQ(none, MPI_COMM_NULL);
      EXPECT_EQ(heard, 2);
      MPI_Group_free(&others);
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    MPI_Group_free(&world);
    MPI_Session_finalize(&session);
  });
}

TEST(FromGroups, TwoGroupsMakeAnIntercommunicator) {
  const int all = all_ranks();
  as_programs([&](int) {
    MPI_Session session = begin();
    MPI_Group world = group_of(session, "mpi://WORLD");
    int rank = -1;
    MPI_Group_rank(world, &rank);
    const int first = 0;
    MPI_Group one = MPI_GROUP_NULL;
    MPI_Group rest = MPI_GROUP_NULL;
    MPI_Group_incl(world, 1, &first, &one);
    MPI_Group_excl(world, 1, &first, &rest);
    const bool alone = rank == 0;
    MPI_Comm inter = MPI_COMM_NULL;
    const int last = all - 2;  // leads
    ASSERT_EQ(MPI_Intercomm_create_from_groups(alone ? one : rest, alone ? 0 : last, alone ? rest : one,
                                               alone ? last : 0, "both", MPI_INFO_NULL, MPI_ERRORS_RETURN, &inter),
              MPI_SUCCESS);
    int remote = -1;
    MPI_Comm_remote_size(inter, &remote);
    EXPECT_EQ(remote, alone ? all - 1 : 1);
    EXPECT_EQ(sum_in(inter, rank), alone ? all * (all - 1) / 2 : 0);
    MPI_Comm_free(&inter);
    // Groups that have a rank in common, on both sides.
    if (rank == 0) {
      EXPECT_EQ(class_of(MPI_Intercomm_create_from_groups(one, 0, world, 0, "common", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                                          &inter)),
                MPI_ERR_GROUP);
    }
    EXPECT_EQ(MPI_Intercomm_create_from_groups(world, 0, MPI_GROUP_EMPTY, 0, "nobody", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                               &inter),
              MPI_SUCCESS);
    EXPECT_EQ(inter, MPI_COMM_NULL);
    for (MPI_Group group : {one, rest, world}) MPI_Group_free(&group);
    MPI_Session_finalize(&session);
  });
}

// Threads that have adopted nothing have groups of their endpoints.
TEST(FromGroups, EndpointsMakeCommunicatorsOfTheirGroups) {
  Endpoints endpoints(each_has);
  ASSERT_EQ(endpoints.code(), MPI_SUCCESS);
  const int all = all_ranks();
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &group);
    MPI_Comm made = made_of(group, "of endpoints");
    EXPECT_EQ(rank_in(made), rank_in(comm));
    EXPECT_EQ(sum_in(made, rank_in(comm)), all * (all - 1) / 2);
    MPI_Comm_free(&made);
    MPI_Group_free(&group);
  });
}

TEST(FromGroups, EndpointsThatAreGoneMakeNone) {
  MPI_Group group = MPI_GROUP_NULL;
  {
    Endpoints endpoints(1, MPI_COMM_SELF);
    MPI_Comm_group(endpoints[0], &group);
  }
  MPI_Comm made = MPI_COMM_WORLD;
  const int code = MPI_Comm_create_from_group(group, "gone", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
  EXPECT_EQ(class_of(code), MPI_ERR_GROUP);
  EXPECT_EQ(made, MPI_COMM_NULL);
  MPI_Group_free(&group);
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
TEST(Sessions, HaveABufferForTheirCommunicators) {
  as_programs([](int) {
    MPI_Session session = begin();
    MPI_Comm comm = made_of(session, "mpi://SELF", "alone");
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &copy);
    constexpr int bytes = 1 << 20;  // shorter ones need no buffer
    std::vector<char> message(bytes, 'a');
    // Of the session's, of its duplicate's, and of nobody's.
    EXPECT_EQ(class_of(MPI_Bsend(message.data(), bytes, MPI_CHAR, 0, 1, comm)), MPI_ERR_BUFFER);
    std::vector<char> room(2 * (bytes + MPI_BSEND_OVERHEAD));
    EXPECT_EQ(MPI_Session_attach_buffer(session, room.data(), static_cast<int>(room.size())), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_Session_attach_buffer(session, room.data(), static_cast<int>(room.size()))), MPI_ERR_BUFFER);
    for (MPI_Comm& one : std::array{comm, copy}) {
      EXPECT_EQ(MPI_Bsend(message.data(), bytes, MPI_CHAR, 0, 1, one), MPI_SUCCESS);
      std::vector<char> got(bytes);
      EXPECT_EQ(MPI_Recv(got.data(), bytes, MPI_CHAR, 0, 1, one, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(got, message);
    }
    EXPECT_EQ(MPI_Session_flush_buffer(session), MPI_SUCCESS);
    void* back = nullptr;
    int size = 0;
    EXPECT_EQ(MPI_Session_detach_buffer(session, static_cast<void*>(&back), &size), MPI_SUCCESS);
    EXPECT_EQ(back, static_cast<void*>(room.data()));
    EXPECT_EQ(size, static_cast<int>(room.size()));
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
  });
}
#endif

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace
}  // namespace raddle::testing

#endif
