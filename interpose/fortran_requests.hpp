// SPDX-License-Identifier: BSD-3-Clause
// The functions of Fortran that wait and test, where a library has them call past its C interface.
// Statuses and flags have the interface's own form: its own function runs, only handles are read.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <boost/preprocessor/repetition/enum.hpp>
#include <boost/preprocessor/repetition/enum_params.hpp>

#include "interpose/requests.hpp"

/// WRAPPER(lower, UPPER, number of arguments, number of requests, first request)
#define BREAKEVEN_FOR_WAITS_AND_TESTS(WRAPPER)                          \
  WRAPPER(test, TEST, 4, 1, a0)                                         \
  WRAPPER(testall, TESTALL, 5, *static_cast<const MPI_Fint*>(a0), a1)   \
  WRAPPER(testany, TESTANY, 6, *static_cast<const MPI_Fint*>(a0), a1)   \
  WRAPPER(testsome, TESTSOME, 6, *static_cast<const MPI_Fint*>(a0), a1) \
  WRAPPER(wait, WAIT, 3, 1, a0)                                         \
  WRAPPER(waitall, WAITALL, 4, *static_cast<const MPI_Fint*>(a0), a1)   \
  WRAPPER(waitany, WAITANY, 5, *static_cast<const MPI_Fint*>(a0), a1)   \
  WRAPPER(waitsome, WAITSOME, 6, *static_cast<const MPI_Fint*>(a0), a1)

#define BREAKEVEN_ADDRESS(z, n, unused) void*

/// Calls the library's function of that name, and reads the handles before and after it.
#define BREAKEVEN_WAIT_OR_TEST(name, size, number, first)                                       \
  extern "C" [[gnu::visibility("default")]] void name(BOOST_PP_ENUM_PARAMS(size, void* a)) {    \
    using Function = void (*)(BOOST_PP_ENUM(size, BREAKEVEN_ADDRESS, ));                        \
    static const auto library = reinterpret_cast<Function>(dlsym(RTLD_NEXT, #name));            \
    breakeven::interpose::complete_requests(                                                    \
        number, [&](int i) { return MPI_Request_f2c(static_cast<const MPI_Fint*>(first)[i]); }, \
        [&] {                                                                                   \
          library(BOOST_PP_ENUM_PARAMS(size, a));                                               \
          return MPI_SUCCESS;                                                                   \
        });                                                                                     \
  }
