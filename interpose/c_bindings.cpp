// SPDX-License-Identifier: BSD-3-Clause
// The functions of MPI's C interface that a program finds here before the library's.
#include <mpi.h>

#include "executor/mpi_call.hpp"
#include "executor/mpi_types.hpp"
#include "interpose/intercept.hpp"
#include "interpose/job.hpp"
#include "interpose/notify.hpp"
#include "interpose/requests.hpp"

// The library's own function has the default visibility and a prototype that this one must match.
#define EXPORTED extern "C" [[gnu::visibility("default")]]

namespace interpose = breakeven::interpose;
using breakeven::CallForm;
using breakeven::Collective;
using namespace breakeven::executor;

EXPORTED int MPI_Init(int* argc, char*** argv) {
  const interpose::Verdict verdict = interpose::answer_roll_call();
  const int status = PMPI_Init(argc, argv);
  if (status == MPI_SUCCESS) interpose::begin_job(verdict);
  return status;
}

EXPORTED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const interpose::Verdict verdict = interpose::answer_roll_call();
  const int status = PMPI_Init_thread(argc, argv, required, provided);
  if (status == MPI_SUCCESS) interpose::begin_job(verdict);
  return status;
}

#define REPLACED(function, collective, parameters, arguments)                      \
  EXPORTED int function parameters {                                               \
    return interpose::intercept(                                                   \
        Collective::collective, comm, [&] { return collective##_call arguments; }, \
        [&] { return P##function arguments; });                                    \
  }

#define PLAIN(...) __VA_ARGS__  // a list without its parentheses

// Calls with a request, in one form: the library performs them, a profile counts them.
#define COUNTED(function, collective, form, parameters, arguments, more, given)     \
  EXPORTED int function(PLAIN parameters, PLAIN more) {                             \
    return interpose::make_request(                                                 \
        CallForm::form, comm, [&] { return collective##_call arguments; }, request, \
        [&] { return P##function(PLAIN arguments, PLAIN given); });                 \
  }
#define NONBLOCKING(function, collective, parameters, arguments)                             \
  COUNTED(function, collective, nonblocking, parameters, arguments, (MPI_Request * request), \
          (request))
#define PERSISTENT(function, collective, parameters, arguments)    \
  COUNTED(function, collective, persistent, parameters, arguments, \
          (MPI_Info info, MPI_Request * request), (info, request))

REPLACED(MPI_Barrier, barrier, (MPI_Comm comm), (comm))
NONBLOCKING(MPI_Ibarrier, barrier, (MPI_Comm comm), (comm))

namespace counts_of_int {
using Count = int;
using Counts = const int*;
using Displacements = const int*;
#define WRAPPER(NAME, collective, ...)          \
  REPLACED(MPI_##NAME, collective, __VA_ARGS__) \
  NONBLOCKING(MPI_I##collective, collective, __VA_ARGS__)
#include "interpose/wrappers.inc"
#undef WRAPPER
}  // namespace counts_of_int

// Calls for the requests among `n`, of which request i is given by an expression.
#define OF_REQUESTS(function, what, n, request, parameters, arguments) \
  EXPORTED int function parameters {                                   \
    return interpose::what(                                            \
        n, [&]([[maybe_unused]] int i) { return request; },            \
        [&] { return P##function arguments; });                        \
  }
#define ASKED(function, ...) OF_REQUESTS(function, complete_requests, __VA_ARGS__)
// clang-format off
ASKED(MPI_Request_get_status, 1, request,
      (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))
ASKED(MPI_Test, 1, *request,
      (MPI_Request* request, int* flag, MPI_Status* status), (request, flag, status))
ASKED(MPI_Testall, n, requests[i],
      (int n, MPI_Request requests[], int* flag, MPI_Status statuses[]), (n, requests, flag, statuses))
ASKED(MPI_Testany, n, requests[i],
      (int n, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
      (n, requests, index, flag, status))
ASKED(MPI_Testsome, n, requests[i],
      (int n, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]),
      (n, requests, done, indices, statuses))
ASKED(MPI_Wait, 1, *request,
      (MPI_Request* request, MPI_Status* status), (request, status))
ASKED(MPI_Waitall, n, requests[i],
      (int n, MPI_Request requests[], MPI_Status statuses[]), (n, requests, statuses))
ASKED(MPI_Waitany, n, requests[i],
      (int n, MPI_Request requests[], int* index, MPI_Status* status), (n, requests, index, status))
ASKED(MPI_Waitsome, n, requests[i],
      (int n, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]),
      (n, requests, done, indices, statuses))
// clang-format on

#if BREAKEVEN_HAS_PERSISTENT
PERSISTENT(MPI_Barrier_init, barrier, (MPI_Comm comm), (comm))

namespace counts_of_int {
#define WRAPPER(NAME, ...) PERSISTENT(MPI_##NAME##_init, __VA_ARGS__)
#include "interpose/wrappers.inc"
#undef WRAPPER
}  // namespace counts_of_int

OF_REQUESTS(MPI_Start, start_requests, 1, *request, (MPI_Request * request), (request))
OF_REQUESTS(MPI_Startall, start_requests, n, requests[i], (int n, MPI_Request requests[]),
            (n, requests))

EXPORTED int MPI_Request_free(MPI_Request* request) {
  if (!interpose::CountedRequests::none()) interpose::CountedRequests::all().forget(*request);
  return PMPI_Request_free(request);
}
#endif

#if MPI_VERSION >= 4
namespace counts_of_mpi_count {
using Count = MPI_Count;
using Counts = const MPI_Count*;
using Displacements = const MPI_Aint*;
#define WRAPPER(NAME, collective, ...)                        \
  REPLACED(MPI_##NAME##_c, collective, __VA_ARGS__)           \
  NONBLOCKING(MPI_I##collective##_c, collective, __VA_ARGS__) \
  PERSISTENT(MPI_##NAME##_init_c, collective, __VA_ARGS__)
#include "interpose/wrappers.inc"
}  // namespace counts_of_mpi_count
#endif

#define MADE(function, parameters, arguments)                                  \
  EXPORTED int function parameters {                                           \
    return interpose::make(comm, made, [&] { return P##function arguments; }); \
  }
MADE(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))
MADE(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
MADE(MPI_Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made))
MADE(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
MADE(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
     (comm, type, key, info, made))
MADE(MPI_Cart_create,
     (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm* made),
     (comm, ndims, dims, periods, reorder, made))
MADE(MPI_Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm* made), (comm, remain, made))
