# Finds SimGrid's SMPI, on which one more worker runs: MPI simulated on a platform (docs/prediction.md).
#
# Sets BREAKEVEN_SMPI to smpi, or to nothing; then also the imported target PkgConfig::smpi and the
# cache variable BREAKEVEN_MPIEXEC_smpi, its launcher. SMPI is not in BREAKEVEN_MPI_LIBRARIES: a program for
# SMPI is a shared object that only smpirun can start.
set(BREAKEVEN_SMPI "")
pkg_search_module(smpi QUIET IMPORTED_TARGET GLOBAL simgrid)
find_program(BREAKEVEN_MPIEXEC_smpi NAMES smpirun DOC "Launcher of SMPI programs")
find_path(BREAKEVEN_SMPI_HEADERS mpi.h HINTS ${smpi_INCLUDEDIR}/smpi NO_DEFAULT_PATH)
if(NOT smpi_FOUND OR NOT BREAKEVEN_MPIEXEC_smpi OR NOT BREAKEVEN_SMPI_HEADERS)
  message(STATUS "SMPI: not found; no worker for simulated platforms (Debian: libsimgrid-dev)")
elseif(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  message(STATUS "SMPI: no worker, because smpirun can't load what a sanitizer has instrumented")
else()
  message(STATUS "SMPI of SimGrid ${smpi_VERSION}: ${BREAKEVEN_MPIEXEC_smpi}")
  set(BREAKEVEN_SMPI smpi)
  target_include_directories(PkgConfig::smpi INTERFACE ${BREAKEVEN_SMPI_HEADERS})
  # Its header makes clock_gettime, nanosleep (in std::this_thread too) and their like simulated time.
  target_compile_options(PkgConfig::smpi INTERFACE "SHELL:-include smpi/smpi_helpers.h")
  target_compile_definitions(PkgConfig::smpi INTERFACE
                             BREAKEVEN_SIMULATED SMPI_NO_OVERRIDE_MALLOC)
endif()
