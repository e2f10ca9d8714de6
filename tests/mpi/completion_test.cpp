// SPDX-License-Identifier: BSD-3-Clause
// Completion calls on arrays of all sorts of requests, against what MPI says (completion_mix.hpp), and calls on one.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <functional>
#include <string>

#include "mpi/completion_mix.hpp"

namespace raddle::endpoints {
namespace {

/// A call of one of the functions on several requests.
class Call {
 public:
  Call(Mix& mix, bool ignores) : mix_(mix), ignores_(ignores), active_(mix.active()) {
    MPI_Status fresh{};
    fresh.MPI_ERROR = untouched;
    statuses_.assign(mix.requests.size(), fresh);
    indices_.assign(mix.requests.size(), never);
  }

  [[nodiscard]] int count() const { return static_cast<int>(mix_.requests.size()); }
  MPI_Request* requests() { return mix_.requests.data(); }
  MPI_Status* statuses() { return ignores_ ? MPI_STATUSES_IGNORE : statuses_.data(); }
  MPI_Status* status() { return ignores_ ? MPI_STATUS_IGNORE : statuses_.data(); }
  int* indices() { return indices_.data(); }

  Answer all(int code, int flag) {
    Answer answer{.code = code, .flag = flag != 0};
    if (!answer.flag) return answer;
    for (std::size_t i = 0; i < mix_.slots().size(); ++i) {
      if (mix_.slots()[i].active) {
        tell(answer, i, i);
      } else if (!ignores_) {
        expect_empty(statuses_[i]);
      }
    }
    return answer;
  }

  Answer any(int code, int flag, int index) {
    Answer answer{.code = code, .flag = flag != 0, .none = flag != 0 && index == MPI_UNDEFINED};
    EXPECT_EQ(answer.none, active_ == 0);
    if (answer.none && !ignores_) expect_empty(statuses_[0]);
    if (answer.flag && !answer.none) tell(answer, static_cast<std::size_t>(index), 0);
    return answer;
  }

  Answer some(int code, int outcount) {
    Answer answer{.code = code, .flag = outcount != 0, .none = outcount == MPI_UNDEFINED};
    EXPECT_EQ(answer.none, active_ == 0);
    for (int k = 0; k < outcount; ++k)
      tell(answer, static_cast<std::size_t>(indices_[static_cast<std::size_t>(k)]), static_cast<std::size_t>(k));
    return answer;
  }

 private:
  void tell(Answer& answer, std::size_t place, std::size_t status) {
    answer.told.push_back(place);
    answer.how.push_back(ignores_ ? nullptr : &statuses_[status]);
  }

  static void expect_empty(const MPI_Status& status) {
    int bytes = -1;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
    EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
    EXPECT_EQ(bytes, 0);
  }

  Mix& mix_;
  bool ignores_;
  std::size_t active_;
  std::vector<MPI_Status> statuses_;
  std::vector<int> indices_;
};

enum class Tells { all, any, some };

struct Function {
  const char* name;
  bool waits;
  bool ends;
  Tells tells;
  std::function<Answer(Call&)> call;
};

template <typename Request>
constexpr bool has_newer_calls = requires(Request* requests, int* number, MPI_Status* status) {
  MPI_Request_get_status_all(1, requests, number, status);
  MPI_Request_get_status_any(1, requests, number, number, status);
  MPI_Request_get_status_some(1, requests, number, number, status);
};

/// Those of MPI-4.1, where mpi.h declares them.
template <typename Request>
void add_newer_calls(std::vector<Function>& functions) {
  if constexpr (has_newer_calls<Request>) {
    functions.push_back({"MPI_Request_get_status_all", false, false, Tells::all, [](Call& call) {
                           int flag = never;
                           Request* const requests = call.requests();
                           const int code = MPI_Request_get_status_all(call.count(), requests, &flag, call.statuses());
                           return call.all(code, flag);
                         }});
    functions.push_back({"MPI_Request_get_status_any", false, false, Tells::any, [](Call& call) {
                           int flag = never;
                           int index = never;
                           Request* const requests = call.requests();
                           const int code =
                               MPI_Request_get_status_any(call.count(), requests, &index, &flag, call.status());
                           return call.any(code, flag, index);
                         }});
    functions.push_back({"MPI_Request_get_status_some", false, false, Tells::some, [](Call& call) {
                           int outcount = never;
                           Request* const requests = call.requests();
                           const int code = MPI_Request_get_status_some(call.count(), requests, &outcount,
                                                                        call.indices(), call.statuses());
                           return call.some(code, outcount);
                         }});
  }
}

std::vector<Function> functions() {
  std::vector<Function> all{
      {"MPI_Waitall", true, true, Tells::all,
       [](Call& call) { return call.all(MPI_Waitall(call.count(), call.requests(), call.statuses()), 1); }},
      {"MPI_Waitany", true, true, Tells::any,
       [](Call& call) {
         int index = never;
         const int code = MPI_Waitany(call.count(), call.requests(), &index, call.status());
         return call.any(code, 1, index);
       }},
      {"MPI_Waitsome", true, true, Tells::some,
       [](Call& call) {
         int outcount = never;
         const int code = MPI_Waitsome(call.count(), call.requests(), &outcount, call.indices(), call.statuses());
         return call.some(code, outcount);
       }},
      {"MPI_Testall", false, true, Tells::all,
       [](Call& call) {
         int flag = never;
         const int code = MPI_Testall(call.count(), call.requests(), &flag, call.statuses());
         return call.all(code, flag);
       }},
      {"MPI_Testany", false, true, Tells::any,
       [](Call& call) {
         int flag = never;
         int index = never;
         const int code = MPI_Testany(call.count(), call.requests(), &index, &flag, call.status());
         return call.any(code, flag, index);
       }},
      {"MPI_Testsome", false, true, Tells::some,
       [](Call& call) {
         int outcount = never;
         const int code = MPI_Testsome(call.count(), call.requests(), &outcount, call.indices(), call.statuses());
         return call.some(code, outcount);
       }},
  };
  add_newer_calls<MPI_Request>(all);
  return all;
}

class Completion : public testing::TestWithParam<Function> {
 protected:
  void SetUp() override { heard.clear(); }

  /// Calls until the program knows of everything that completes, and once more where that does not block.
  void exhaust(Mix& mix, bool ignores) {
    const Function& function = GetParam();
    std::set<std::size_t> told;
    const std::size_t to_come = mix.to_come();
    for (int calls = 0; calls < 5000; ++calls) {
      // One that looks may be told of the same request again and again.
      const bool over = mix.exhausted(told, !function.ends && function.tells == Tells::any);
      if (over && function.waits && mix.active() > 0) return;
      Call call(mix, ignores);
      const Answer answer = function.call(call);
      expect_all_found(mix, answer);
      mix.check(answer, function.ends, function.tells != Tells::any);
      if (HasFatalFailure()) return;
      told.insert(answer.told.begin(), answer.told.end());
      if (over) return;
      if (function.tells == Tells::all && to_come < mix.active() && calls > 100) return;  // one never completes
    }
    FAIL() << told.size() << " of " << to_come << " were found to be complete";
  }

  /// What an endpoint has completed is told: without exception, but of one request where only one can be told of.
  void expect_all_found(const Mix& mix, const Answer& answer) const {
    const std::set<std::size_t> complete = mix.complete_fakes();
    const std::set<std::size_t> told(answer.told.begin(), answer.told.end());
    if (GetParam().tells == Tells::all) {
      if (!answer.flag && !mix.has_active_natives()) {
        EXPECT_LT(complete.size(), mix.active());
      }
    } else if (!answer.flag) {
      EXPECT_TRUE(complete.empty());
    }
    if (GetParam().tells == Tells::some && !GetParam().ends) {
      for (const std::size_t place : complete) EXPECT_TRUE(told.contains(place));
    }
  }

  World world_;
};

TEST_P(Completion, OfAnyMix) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    SCOPED_TRACE("array " + std::to_string(i));
    const bool all_end = GetParam().waits && GetParam().tells == Tells::all;
    // MPICH 5.0.2 takes persistent requests that are complete for inactive when it is asked for their statuses.
    Mix mix(world_, random,
            {.nevers = !all_end && i % 2 == 0,
             .natives = i % 3 != 0,
             .failures = i % 5 != 0,
             .persistent_natives = GetParam().ends});
    exhaust(mix, i % 4 == 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, Completion, testing::ValuesIn(functions()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace raddle::endpoints
