// SPDX-License-Identifier: BSD-3-Clause
// Collectives on intercommunicators of endpoints (MPI-4.1 section 6.2.2): random ones, each in its three forms,
// compared with what must come of them. All ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/collectives_random/kind.hpp"
#include "mpi/intercommunicators.hpp"
#include "mpi/traffic/random.hpp"

namespace {

using raddle::collectives::Kind;
using raddle::collectives::Mode;
using enum raddle::collectives::Kind;
using raddle::testing::Between;
using raddle::testing::Cut;
using raddle::testing::cuts;
using raddle::testing::with_endpoints;
using raddle::traffic::mix;
using raddle::traffic::Random;

constexpr int each_process = 3;
constexpr int untouched = -77;
constexpr int gap = 5;  ///< from one piece to the next one, of those that have places; more than any has elements

constexpr int between_groups = static_cast<int>(Kind::scan);  ///< those before it are also for two groups

/// The same on all ranks.
struct Plan {
  explicit Plan(Random& random, int scale)
      : kind(static_cast<Kind>(random.below(between_groups))),
        first_has_root(random.chance(50)),
        root(random.next()),
        count(static_cast<int>(random.below(4)) * scale),
        seed(random.next()) {}

  Kind kind;
  bool first_has_root;
  std::uint64_t root;
  int count;
  std::uint64_t seed;
};

using Ints = std::vector<int>;

/// What a rank brings; the values of two of them make a function x -> first * x + second, of those that compose.
Ints brought(const Plan& plan, int rank, std::size_t count) {
  Ints all(count);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = static_cast<int>(mix({plan.seed, static_cast<std::uint64_t>(rank), i}) % 97);
  return all;
}

/// How many elements go from one rank to another one.
int varying(const Plan& plan, int from, int to) {
  return static_cast<int>(mix({plan.seed, static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to)}) % gap);
}

constexpr int modulus = 97;

/// The left one after the right one. Does not commute.
void compose(void* left, void* right, int* length, MPI_Datatype*) {
  const auto* outer = static_cast<const int*>(left);
  auto* inner = static_cast<int*>(right);
  for (int i = 0; i < *length; ++i, outer += 2, inner += 2) {
    inner[1] = (outer[0] * inner[1] + outer[1]) % modulus;
    inner[0] = outer[0] * inner[0] % modulus;
  }
}

/// One call of this rank's.
class Call {
 public:
  Call(const Between& between, const Plan& plan) : between_(between), plan_(plan) {
    const bool pieces = plan.kind == gather || plan.kind == scatter || plan.kind == allgather || plan.kind == alltoall;
    const std::size_t ranks = between.local.size() + between.remote.size();
    const std::size_t most = static_cast<std::size_t>(plan.count) * (pieces ? ranks : 2) + gap * ranks * ranks;
    out_ = brought(plan, between.me, most);
    const bool here = between.in_first == plan.first_has_root;
    const std::vector<int>& group = here ? between.local : between.remote;
    one_ = static_cast<int>(plan.root % group.size());
    root_ = !here ? one_ : between.rank == one_ ? MPI_ROOT : MPI_PROC_NULL;
    in_.assign(most, untouched);
    for (const int rank : between.remote) theirs_.push_back(brought(plan, rank, most));
    for (std::size_t i = 0; i < between.remote.size(); ++i) {
      places_.push_back(gap * static_cast<int>(i));
      byte_places_.push_back(places_.back() * static_cast<int>(sizeof(int)));
      out_counts_.push_back(varying(plan, between.me, between.remote[i]));
      in_counts_.push_back(varying(plan, between.remote[i], between.me));
      types_.push_back(MPI_INT);
    }
    MPI_Type_contiguous(2, MPI_INT, &pair_);
    MPI_Type_commit(&pair_);
    MPI_Op_create(compose, 0, &compose_);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    MPI_Type_free(&pair_);
    MPI_Op_free(&compose_);
  }

  void begin(Mode mode) {
    const int count = plan_.count;
    MPI_Comm comm = between_.comm;
    const auto start = [&](auto blocking, auto nonblocking, auto persistent, auto... arguments) {
      const int code = mode == Mode::blocking      ? blocking(arguments...)
                       : mode == Mode::nonblocking ? nonblocking(arguments..., &request)
                                                   : persistent(arguments..., MPI_INFO_NULL, &request);
      EXPECT_EQ(code, MPI_SUCCESS);
    };
    int* const out = out_.data();
    int* const in = in_.data();
    const int* const places = places_.data();
    switch (plan_.kind) {
      case barrier:
        return start(MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, comm);
      case bcast:
        return start(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, root_ == MPI_ROOT ? out : in, count, MPI_INT, root_, comm);
      case gather:
        return start(MPI_Gather, MPI_Igather, MPI_Gather_init, out, count, MPI_INT, in, count, MPI_INT, root_, comm);
      case gatherv:
        return start(MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, out, root_ < 0 ? 0 : out_counts_[at_root()], MPI_INT,
                     in, in_counts_.data(), places, MPI_INT, root_, comm);
      case scatter:
        return start(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out, count, MPI_INT, in, count, MPI_INT, root_, comm);
      case scatterv:
        return start(MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, out, out_counts_.data(), places, MPI_INT, in,
                     root_ < 0 ? 0 : in_counts_[at_root()], MPI_INT, root_, comm);
      case allgather:
        return start(MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, out, count, MPI_INT, in, count, MPI_INT, comm);
      case allgatherv:
        for (std::size_t i = 0; i < in_counts_.size(); ++i) in_counts_[i] = varying(plan_, between_.remote[i], 0);
        return start(MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init, out, varying(plan_, between_.me, 0), MPI_INT,
                     in, in_counts_.data(), places, MPI_INT, comm);
      case alltoall:
        return start(MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out, count, MPI_INT, in, count, MPI_INT, comm);
      case alltoallv:
        return start(MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out, out_counts_.data(), places, MPI_INT, in,
                     in_counts_.data(), places, MPI_INT, comm);
      case alltoallw:
        return start(MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init, out, out_counts_.data(), byte_places_.data(),
                     types_.data(), in, in_counts_.data(), byte_places_.data(), types_.data(), comm);
      case reduce:
        return start(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, out, in, count, pair_, compose_, root_, comm);
      case allreduce:
        return start(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, out, in, count, pair_, compose_, comm);
      case reduce_scatter:
        // As many elements for either group: the last rank takes what the others leave.
        parts_.assign(between_.local.size(), 1);
        parts_.back() += static_cast<int>(between_.remote.size()) - 1;
        return start(MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init, out, in, parts_.data(), MPI_INT,
                     MPI_SUM, comm);
      default:
        return start(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init, out, in,
                     static_cast<int>(between_.remote.size()), MPI_INT, MPI_MAX, comm);
    }
  }

  /// Complete: looks at what has come, and forgets it.
  void look() {
    EXPECT_EQ(in_, expected()) << "kind " << static_cast<int>(plan_.kind) << ", count " << plan_.count << ", root "
                               << root_;
    in_.assign(in_.size(), untouched);
  }

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  [[nodiscard]] std::size_t at_root() const { return static_cast<std::size_t>(one_); }
  /// What the i-th of the other group brings.
  [[nodiscard]] const Ints& of(std::size_t i) const { return theirs_[i]; }
  [[nodiscard]] Ints expected() const;
  void fold(Ints& into, std::size_t numbers) const;

  const Between& between_;
  const Plan plan_;
  int one_;
  int root_;
  Ints out_;
  std::vector<Ints> theirs_;
  Ints in_;
  Ints places_;
  Ints byte_places_;
  Ints out_counts_;
  Ints in_counts_;
  Ints parts_;
  std::vector<MPI_Datatype> types_;
  MPI_Datatype pair_ = MPI_DATATYPE_NULL;
  MPI_Op compose_ = MPI_OP_NULL;
};

/// What the other group brings, combined in the order of its ranks.
void Call::fold(Ints& into, std::size_t numbers) const {
  Ints all = of(between_.remote.size() - 1);
  for (std::size_t i = between_.remote.size() - 1; i-- > 0;) {
    Ints left = of(i);
    int pairs = static_cast<int>(numbers / 2);
    compose(left.data(), all.data(), &pairs, nullptr);
  }
  std::copy_n(all.begin(), numbers, into.begin());
}

Ints Call::expected() const {
  Ints all(in_.size(), untouched);
  const auto count = static_cast<std::size_t>(plan_.count);
  const auto me = static_cast<std::size_t>(between_.rank);
  const auto piece = [&](std::size_t source, std::size_t from, std::size_t how_many, std::size_t to) {
    const Ints& theirs = of(source);
    std::copy_n(theirs.begin() + static_cast<std::ptrdiff_t>(from), how_many,
                all.begin() + static_cast<std::ptrdiff_t>(to));
  };
  const auto of_each = [&](auto&& of_one) {
    for (std::size_t i = 0; i < between_.remote.size(); ++i) of_one(i, static_cast<std::size_t>(in_counts_[i]));
  };
  const bool receives = root_ >= 0;
  switch (plan_.kind) {
    case bcast:
      if (receives) piece(at_root(), 0, count, 0);
      break;
    case gather:
      if (root_ != MPI_ROOT) break;
      [[fallthrough]];
    case allgather:
      of_each([&](std::size_t i, std::size_t) { piece(i, 0, count, i * count); });
      break;
    case gatherv:
      if (root_ != MPI_ROOT) break;
      [[fallthrough]];
    case allgatherv:
      of_each([&](std::size_t i, std::size_t varied) { piece(i, 0, varied, i * gap); });
      break;
    case scatter:
      if (receives) piece(at_root(), me * count, count, 0);
      break;
    case scatterv:
      if (receives) piece(at_root(), me * gap, static_cast<std::size_t>(in_counts_[at_root()]), 0);
      break;
    case alltoall:
      of_each([&](std::size_t i, std::size_t) { piece(i, me * count, count, i * count); });
      break;
    case alltoallv:
    case alltoallw:
      of_each([&](std::size_t i, std::size_t varied) { piece(i, me * gap, varied, i * gap); });
      break;
    case reduce:
      if (root_ == MPI_ROOT) fold(all, 2 * count);
      break;
    case allreduce:
      fold(all, 2 * count);
      break;
    case reduce_scatter:
      for (std::size_t i = 0; i < static_cast<std::size_t>(parts_[me]); ++i) {
        all[i] = 0;
        of_each([&](std::size_t source, std::size_t) { all[i] += of(source)[me + i]; });
      }
      break;
    case reduce_scatter_block:
      for (std::size_t i = 0; i < between_.remote.size(); ++i)
        of_each([&](std::size_t source, std::size_t) {
          all[i] = std::max(all[i], of(source)[me * between_.remote.size() + i]);
        });
      break;
    default:
      break;
  }
  return all;
}

void run(const Between& between, std::uint64_t seed, Mode mode, int scale, int how_many) {
  Random random(seed);
  std::vector<std::unique_ptr<Call>> calls;
  for (int i = 0; i < how_many; ++i) {
    calls.push_back(std::make_unique<Call>(between, Plan(random, scale)));
    calls.back()->begin(mode);
    if (mode == Mode::blocking) calls.back()->look();
  }
  if (mode == Mode::blocking) return;
  Random own(mix({seed, static_cast<std::uint64_t>(between.me)}));  // each rank in an order of its own
  for (int round = 0; round < (mode == Mode::persistent ? 2 : 1); ++round) {
    own.shuffle(calls);
    if (mode == Mode::persistent) {
      for (const auto& call : calls) EXPECT_EQ(MPI_Start(&call->request), MPI_SUCCESS);
      own.shuffle(calls);
    }
    for (const auto& call : calls) {
      EXPECT_EQ(MPI_Wait(&call->request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      call->look();
    }
  }
  if (mode != Mode::persistent) return;
  for (const auto& call : calls) EXPECT_EQ(MPI_Request_free(&call->request), MPI_SUCCESS);
}

void run_all(Mode mode, int scale, int how_many = 20) {
  with_endpoints(each_process, [=](MPI_Comm comm) {
    std::uint64_t seed = 1;
    for (const Cut& cut : cuts()) {
      const Between between(comm, cut);
      run(between, seed++, mode, scale, how_many);
    }
  });
}

TEST(IntercommunicatorsCollectives, Block) {
  run_all(Mode::blocking, 1);
  run_all(Mode::blocking, 700);
}

TEST(IntercommunicatorsCollectives, MoveLongData) { run_all(Mode::blocking, 15'000, 4); }

TEST(IntercommunicatorsCollectives, OverlapWhereTheyDoNotBlock) {
  run_all(Mode::nonblocking, 1);
  run_all(Mode::nonblocking, 1000);
}

TEST(IntercommunicatorsCollectives, StartInAnyOrderWhereTheyPersist) { run_all(Mode::persistent, 2); }

TEST(IntercommunicatorsCollectives, TakeDatatypesWithGaps) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    const Between between(comm, cuts().front());
    MPI_Datatype every_other = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_other);
    MPI_Type_commit(&every_other);
    const std::array<int, 4> out{between.me, -1, between.me + 1, -1};
    std::array<int, 4> in{untouched, untouched, untouched, untouched};
    EXPECT_EQ(MPI_Allreduce(out.data(), in.data(), 2, MPI_INT, MPI_MAX, between.comm), MPI_SUCCESS);
    EXPECT_EQ(in[0], between.remote.back());
    EXPECT_EQ(in[2], untouched);
    MPI_Op add = MPI_OP_NULL;
    MPI_Op_create(
        [](void* left, void* right, int* length, MPI_Datatype*) {
          for (int i = 0; i < *length; ++i) static_cast<int*>(right)[2 * i] += static_cast<int*>(left)[2 * i];
        },
        1, &add);
    EXPECT_EQ(MPI_Allreduce(out.data(), in.data(), 2, every_other, add, between.comm), MPI_SUCCESS);
    int sum = 0;
    for (const int rank : between.remote) sum += rank;
    EXPECT_EQ(in[0], sum);
    EXPECT_EQ(in[2], sum + between.remote_size());
    EXPECT_EQ(in[3], untouched);
    MPI_Op_free(&add);
    MPI_Type_free(&every_other);
  });
}

}  // namespace
