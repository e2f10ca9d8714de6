// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of sparse exchange: error handlers, nothing else.
#include <memory>
#include <new>
#include <utility>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "interpose/wrapper.hpp"
#include "platform/errors.hpp"
#include "platform/settings.hpp"
#include "raddle/raddle.h"
#include "sparse/algorithm.hpp"
#include "sparse/attachment.hpp"
#include "sparse/calls/calls.hpp"
#include "sparse/calls/data.hpp"
#include "sparse/exchange.hpp"

namespace {

namespace endpoints = raddle::endpoints;
namespace sparse = raddle::sparse;

using raddle::interpose::Answering;
using raddle::interpose::find;
using raddle::interpose::Kind;
using sparse::ExchangeComm;

/// Does it on the communicator that the program means. @returns its code, not raised @throws Failure, and more
template <typename Call>
int do_at(const ExchangeComm& on, Call&& it) {
  if (!raddle::interpose::calls_pass) return endpoints::error_with(MPI_ERR_OTHER, raddle::interpose::calls_do_not_pass);
  int between = 0;
  if (const int code = MPI_Comm_test_inter(on.comm, &between); code != MPI_SUCCESS)
    throw endpoints::Failure(code, true);
  return between != 0 ? MPI_ERR_COMM : it(on);
}

/// The same, and nothing of Raddle's is thrown. @returns its code, or that of an error, raised
template <typename Call>
int at(MPI_Comm comm, Call&& it) {
  if (comm == MPI_COMM_NULL) return endpoints::raise(endpoints::without_communicator(), MPI_ERR_COMM);
  const endpoints::Endpoint* const endpoint = find<Kind::communicator>(comm);
  if (endpoint == nullptr) Answering::past();
  const Answering answering(endpoint != nullptr);
  const MPI_Comm raises = endpoint != nullptr ? endpoint->comm : raddle::interpose::programs(comm);
  int code = MPI_SUCCESS;
  try {
    code = do_at(ExchangeComm{comm, raises, endpoint != nullptr}, std::forward<Call>(it));
  } catch (const endpoints::Failure& failure) {
    return endpoints::raise(raises, failure);
  } catch (const raddle::platform::SettingsError&) {
    code = raddle::platform::code_of_caught();
  } catch (const std::bad_alloc&) {  // others are those of a function of the program, which goes on with them
    code = MPI_ERR_NO_MEM;
  }
  return code == MPI_SUCCESS ? code : endpoints::raise(raises, code);
}

}  // namespace

RADDLE_ENTRY int Raddle_Sparse_exchange(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                        MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm,
                                        Raddle_Sparse_messages* received) {
  return at(comm, [&](const ExchangeComm& on) {
    sparse::exchange({data, count, dests, offsets, sendtype}, recvtype, info, on, *received);
    return MPI_SUCCESS;
  });
}

RADDLE_ENTRY int Raddle_Sparse_iexchange(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                         MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm,
                                         Raddle_Sparse_messages* received, MPI_Request* request) {
  return at(comm, [&](const ExchangeComm& on) {
    *request = sparse::start_exchange({data, count, dests, offsets, sendtype}, recvtype, info, on, *received);
    return MPI_SUCCESS;
  });
}

RADDLE_ENTRY int Raddle_Sparse_exchange_init(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                             MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm,
                                             Raddle_Sparse_messages* received, MPI_Request* request) {
  return at(comm, [&](const ExchangeComm& on) {
    *request = sparse::make_persistent_exchange({data, count, dests, offsets, sendtype}, recvtype, info, on, *received);
    return MPI_SUCCESS;
  });
}

RADDLE_ENTRY int Raddle_Sparse_free(Raddle_Sparse_messages* received) {
  const std::unique_ptr<sparse::Store> ended(static_cast<sparse::Store*>(received->store));
  *received = sparse::nothing;
  return MPI_SUCCESS;
}

RADDLE_ENTRY int Raddle_Sparse_exchange_each(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                             MPI_Datatype sendtype, MPI_Datatype recvtype,
                                             Raddle_Sparse_receiver* receiver, void* context, MPI_Info info,
                                             MPI_Comm comm) {
  return at(comm, [&](const ExchangeComm& on) {
    return sparse::exchange_each({data, count, dests, offsets, sendtype}, recvtype, receiver, context, info, on);
  });
}

RADDLE_ENTRY int Raddle_Sparse_reply(Raddle_Sparse_answer answer, const void* data, MPI_Count count) {
  try {
    sparse::reply(answer, data, count);
    return MPI_SUCCESS;
  } catch (...) {
    return raddle::platform::code_of_caught();  // the answerer returns it, or mends it
  }
}

RADDLE_ENTRY int Raddle_Sparse_ask(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                   MPI_Datatype asktype, MPI_Datatype answertype, Raddle_Sparse_answerer* answerer,
                                   void* context, MPI_Info info, MPI_Comm comm, Raddle_Sparse_messages* answers) {
  return at(comm, [&](const ExchangeComm& on) {
    return sparse::ask({data, count, dests, offsets, asktype}, answertype, answerer, context, info, on, *answers);
  });
}

RADDLE_ENTRY int Raddle_Sparse_attach(MPI_Comm comm) {
  return at(comm, [&](const ExchangeComm& on) {
    sparse::Attachment::of(on.comm)->make_lanes();
    return MPI_SUCCESS;
  });
}

RADDLE_ENTRY int Raddle_Sparse_algorithm(MPI_Comm comm, const char** name) {
  return at(comm, [&](const ExchangeComm& on) {
    const auto attachment = sparse::Attachment::look(on.comm);
    const bool any = attachment && attachment->last() != sparse::SparseAlgorithm::automatic;
    *name = any ? sparse::listed(attachment->last()).name : nullptr;
    return MPI_SUCCESS;
  });
}
