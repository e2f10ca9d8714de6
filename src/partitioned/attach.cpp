// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/attach.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/rank.hpp"
#include "engines/creation.hpp"
#include "partitioned/link.hpp"
#include "partitioned/mpi_carrier.hpp"
#include "partitioned/native_office.hpp"
#include "partitioned/receive_request.hpp"
#include "partitioned/request.hpp"
#include "partitioned/send_request.hpp"
#include "platform/background.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"
#include "platform/waiting.hpp"

namespace raddle::partitioned {
namespace {

using endpoints::Endpoint;
using endpoints::Failure;
using endpoints::Request;
using platform::Background;
using platform::must;

/// A duplicate that is being made beside the program's.
struct Later {
  std::uint64_t made = 0;  ///< the program's, as bits; 0: it has been freed
  MPI_Comm lane = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
};

struct Attached {
  std::mutex guard;
  std::map<std::uint64_t, std::shared_ptr<NativeOffice>> offices;  ///< by communicator
  std::vector<std::unique_ptr<Later>> later;
  std::vector<std::shared_ptr<NativeOffice>> left;  ///< whose communicators have been freed
  std::atomic_flag tended;                          ///< a thread moves those that are left
};

Attached& all() {
  static auto& lasting = *new Attached;  // calls may come after the destructors of a program
  return lasting;
}

/// What the program means by it: its world need not be the job's.
MPI_Comm comm_of(MPI_Comm comm) {
  const bool other = comm == MPI_COMM_WORLD && endpoints::program_world != MPI_COMM_NULL;
  return other ? endpoints::program_world : comm;
}

std::uint64_t key_of(MPI_Comm comm) { return endpoints::bits(comm_of(comm)); }

/// Where any thread may call the MPI, one settles receives for a process that does not come to Raddle: the sender waits
/// for their buffers, and the process may wait for the sender in a call that Raddle does not see (MPI-4.1 section 3.5,
/// progress).
void settle_in_background(const std::shared_ptr<NativeOffice>& office) {
  int level = MPI_THREAD_SINGLE;
  must("MPI_Query_thread", PMPI_Query_thread(&level));
  if (level != MPI_THREAD_MULTIPLE) return;
  office->office().when_unsettled([weak = std::weak_ptr(office)] {
    Background::get().add([weak] {
      const std::shared_ptr<NativeOffice> alive = weak.lock();
      if (!alive) return false;
      alive->progress();
      return alive->office().awaits();
    });
  });
}

/// What was begun when the communicator was made has ended there, or will without anybody's help.
std::shared_ptr<NativeOffice> finish_later(MPI_Comm comm) {
  auto& later = all().later;
  const auto found = std::ranges::find(later, key_of(comm), [](const auto& one) { return one->made; });
  if (found == later.end()) return nullptr;
  must("MPI_Wait", PMPI_Wait(&(*found)->request, MPI_STATUS_IGNORE));
  const MPI_Comm lane = (*found)->lane;
  later.erase(found);
  return NativeOffice::make_alone(comm, lane);
}

/// Of duplicates whose communicators have been freed, those that are made are left.
void leave_made() {
  const std::lock_guard lock(all().guard);
  std::erase_if(all().later, [](const auto& one) {
    int made = 0;
    if (one->made == 0) must("MPI_Test", PMPI_Test(&one->request, &made, MPI_STATUS_IGNORE));
    if (made != 0) all().left.push_back(NativeOffice::make_alone(one->lane, one->lane));
    return made != 0;
  });
}

/// A step for what freed communicators have left, unless another thread makes one: they end when all their processes
/// have freed them.
void tend() {
  if (all().tended.test_and_set(std::memory_order_acquire)) return;
  leave_made();
  std::vector<std::shared_ptr<NativeOffice>> left;
  {
    const std::lock_guard lock(all().guard);
    left = all().left;
  }
  std::erase_if(left, [](const auto& office) { return !office->ended(); });
  {
    const std::lock_guard lock(all().guard);
    std::erase_if(all().left, [&](const auto& office) { return std::ranges::find(left, office) != left.end(); });
  }
  all().tended.clear(std::memory_order_release);
}

std::shared_ptr<NativeOffice> office_of(MPI_Comm comm) {
  const std::lock_guard lock(all().guard);
  const auto found = all().offices.find(key_of(comm));
  if (found != all().offices.end()) return found->second;
  std::shared_ptr<NativeOffice> made = finish_later(comm);
  if (made) {
    settle_in_background(made);
    all().offices[key_of(comm)] = made;
  }
  return made;
}

/// The communicator is freed by this process. @returns what it leaves; nullptr: nothing, or what is being made
std::shared_ptr<NativeOffice> leave(MPI_Comm comm) {
  const std::lock_guard lock(all().guard);
  for (const auto& later : all().later) {
    if (later->made == key_of(comm)) later->made = 0;
  }
  const auto found = all().offices.find(key_of(comm));
  if (found == all().offices.end()) return nullptr;
  std::shared_ptr<NativeOffice> office = std::move(found->second);
  all().offices.erase(found);
  office->leave();
  all().left.push_back(office);
  return office;
}

bool is_left(const std::shared_ptr<NativeOffice>& office) {
  const std::lock_guard lock(all().guard);
  return std::ranges::find(all().left, office) != all().left.end();
}

Desk desk_of(MPI_Comm comm) {
  std::shared_ptr<NativeOffice> office = office_of(comm);
  if (!office) {
    throw Failure(endpoints::error_with(
        MPI_ERR_COMM,
        "Raddle: this communicator has no partitioned communication of Raddle's: call Raddle_Partitioned_attach for "
        "it, or run with RADDLE_PARTITIONED=1"));
  }
  endpoints::Mover* const mover = office.get();
  return {comm, mover, &office->office(), std::move(office)};
}

/// The office of an endpoint, which ends with it.
class EndpointOffice final : public endpoints::Extension {
 public:
  explicit EndpointOffice(Endpoint& endpoint)
      : communicator_(&endpoint.communicator()),
        office_(std::make_unique<EndpointCarrier>(endpoint), endpoint.others()) {}
  /// What waits in this process for the other side must not be met by those of another communicator.
  ~EndpointOffice() override { OwnLinks::forget(communicator_); }

  void progress() override { office_.progress(); }
  [[nodiscard]] Office& office() { return office_; }

 private:
  const void* communicator_;
  Office office_;
};

Desk desk_of(Endpoint& endpoint) {
  auto& office =
      static_cast<EndpointOffice&>(endpoint.extension([&] { return std::make_unique<EndpointOffice>(endpoint); }));
  endpoints::Communicator& communicator = endpoint.communicator();
  communicator.hold();  // its handle may be freed before the request
  return {endpoint.comm, &endpoint, &office.office(),
          std::shared_ptr<void>(&communicator, [](auto* held) { held->let_go(); })};
}

void check(const Arguments& arguments, int size, int greatest_tag) {
  if (arguments.partitions < 0)
    throw Failure(endpoints::error_with(MPI_ERR_ARG, "Raddle: the number of partitions is negative"));
  if (arguments.count < 0) throw Failure(MPI_ERR_COUNT);
  if (arguments.peer != MPI_PROC_NULL && (arguments.peer < 0 || arguments.peer >= size)) throw Failure(MPI_ERR_RANK);
  if (arguments.tag < 0 || arguments.tag > greatest_tag) throw Failure(MPI_ERR_TAG);
}

template <typename Made>
Request& make(Desk desk, const Arguments& arguments) {
  if (arguments.peer != MPI_PROC_NULL) return *std::make_unique<Made>(std::move(desk), arguments).release();
  const Content look(arguments.buffer, arguments.partitions, arguments.count, arguments.type);  // raises what is wrong
  constexpr bool sends = std::is_same_v<Made, SendRequest>;
  return *std::make_unique<IdleRequest>(std::move(desk), arguments.partitions, sends).release();
}

template <typename Made>
Request& make(const Arguments& arguments, MPI_Comm comm) {
  const endpoints::AsProcess process;
  Desk desk = desk_of(comm);
  auto& office = static_cast<NativeOffice&>(*desk.mover);
  check(arguments, office.size(), endpoints::greatest_tag_of(comm_of(comm)));
  return make<Made>(std::move(desk), arguments);
}

template <typename Made>
Request& make(const Arguments& arguments, Endpoint& endpoint) {
  check(arguments, endpoint.size(), endpoint.greatest_tag());
  return make<Made>(desk_of(endpoint), arguments);
}

void* writable(const void* buffer) {
  return const_cast<void*>(buffer);  // NOLINT(cppcoreguidelines-pro-type-const-cast): that of a send is only read
}

}  // namespace

void begin() {
  if (!platform::settings().partitioned) return;
  attach(MPI_COMM_WORLD);
  attach(MPI_COMM_SELF);
  wanted.store(true, std::memory_order_relaxed);
}

void end() {
  wanted.store(false, std::memory_order_relaxed);
  Background::get().end();
  const endpoints::AsProcess process;
  all().tended.test_and_set();  // what is freed here comes by as if it were the program's
  // All processes that have a communicator come here with it, whether they have freed it or not.
  for (const auto& [key, office] : all().offices) all().left.push_back(office);
  all().offices.clear();
  for (const auto& later : all().later) later->made = 0;
  platform::Waiting waiting(true);
  while (!all().later.empty() || !all().left.empty()) {
    leave_made();
    std::erase_if(all().left, [](const auto& office) { return office->ended_with_requests(); });
    engines::Creation::progress_all();
    waiting.turn();
  }
}

void progress_all() {
  if (!any_attached.load(std::memory_order_relaxed)) return;
  std::vector<std::shared_ptr<NativeOffice>> active;
  {
    const std::unique_lock lock(all().guard, std::try_to_lock);
    if (!lock.owns_lock()) return;  // another one is about it
    for (const auto& [comm, office] : all().offices) {
      if (office->active()) active.push_back(office);
    }
    for (const auto& office : all().left) active.push_back(office);
  }
  for (const auto& office : active) office->progress();
}

void attach(MPI_Comm comm) {
  any_attached.store(true, std::memory_order_relaxed);
  if (office_of(comm)) return;
  const endpoints::AsProcess process;
  tend();
  std::shared_ptr<NativeOffice> made = NativeOffice::make(comm_of(comm));
  settle_in_background(made);
  const std::lock_guard lock(all().guard);
  all().offices[key_of(comm)] = std::move(made);
}

void attach_later(MPI_Comm old, MPI_Comm made) {
  any_attached.store(true, std::memory_order_relaxed);
  const endpoints::AsProcess process;
  tend();
  auto later = std::make_unique<Later>();
  // One of Raddle's own has no attributes whose copy functions would be called once more.
  const std::shared_ptr<NativeOffice> office = office_of(old);
  const endpoints::Outcome outcome;
  const int code = PMPI_Comm_idup(office ? office->control() : comm_of(old), &later->lane, &later->request);
  if (outcome.of(code) != MPI_SUCCESS) throw Failure(outcome.of(code), !office);
  later->made = endpoints::bits(made);
  const std::lock_guard lock(all().guard);
  all().later.push_back(std::move(later));
}

void detach(MPI_Comm comm, bool may_wait) {
  const endpoints::AsProcess process;
  const std::shared_ptr<NativeOffice> office = leave(comm);
  tend();
  // Processes that part do not meet again.
  platform::Waiting waiting(true);
  while (may_wait && office && office->office().unused() && is_left(office)) {
    waiting.turn();
    engines::Creation::progress_all();
    tend();
  }
}

bool attached(MPI_Comm comm) { return office_of(comm) != nullptr; }

Request& make_send(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag,
                   MPI_Comm comm, MPI_Info info) {
  return make<SendRequest>({writable(buffer), partitions, count, type, to, tag, hints_of(info)}, comm);
}

Request& make_receive(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
                      MPI_Comm comm, MPI_Info info) {
  return make<ReceiveRequest>({buffer, partitions, count, type, source, tag, hints_of(info)}, comm);
}

Request& make_send(Endpoint& endpoint, const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int to,
                   int tag, MPI_Info info) {
  return make<SendRequest>({writable(buffer), partitions, count, type, to, tag, hints_of(info)}, endpoint);
}

Request& make_receive(Endpoint& endpoint, void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source,
                      int tag, MPI_Info info) {
  return make<ReceiveRequest>({buffer, partitions, count, type, source, tag, hints_of(info)}, endpoint);
}

}  // namespace raddle::partitioned
