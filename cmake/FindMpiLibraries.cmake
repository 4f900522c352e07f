# Finds every MPI library on this machine, so that one build makes a worker for each.
#
# Sets BREAKEVEN_MPI_LIBRARIES (a list of mpich, openmpi), for each the imported target
# PkgConfig::<name>, and the cache variable BREAKEVEN_MPIEXEC_<name>, its launcher.
# A library elsewhere than in the system's folders is found through PKG_CONFIG_PATH and PATH.
find_package(PkgConfig REQUIRED)

set(BREAKEVEN_MPI_LIBRARIES "")
function(breakeven_find_mpi name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "MODULES;LAUNCHERS")
  pkg_search_module(${name} QUIET IMPORTED_TARGET GLOBAL ${arg_MODULES})
  find_program(BREAKEVEN_MPIEXEC_${name} NAMES ${arg_LAUNCHERS} DOC "Launcher of ${name} programs")
  if(NOT ${name}_FOUND)
    message(STATUS "MPI library ${name}: not found (pkg-config knows none of: ${arg_MODULES})")
  elseif(NOT BREAKEVEN_MPIEXEC_${name})
    message(WARNING "MPI library ${name} ${${name}_VERSION}: found, but no launcher "
                    "(${arg_LAUNCHERS}) in PATH; no worker is built for it. "
                    "Set BREAKEVEN_MPIEXEC_${name} to its mpiexec.")
  else()
    message(STATUS "MPI library ${name} ${${name}_VERSION}: ${BREAKEVEN_MPIEXEC_${name}}")
    list(APPEND BREAKEVEN_MPI_LIBRARIES ${name})
    set(BREAKEVEN_MPI_LIBRARIES "${BREAKEVEN_MPI_LIBRARIES}" PARENT_SCOPE)
  endif()
endfunction()

breakeven_find_mpi(mpich MODULES mpich LAUNCHERS mpiexec.mpich mpiexec.hydra)
breakeven_find_mpi(openmpi MODULES ompi-c ompi LAUNCHERS mpiexec.openmpi orterun prterun)

list(LENGTH BREAKEVEN_MPI_LIBRARIES breakeven_mpi_count)
if(breakeven_mpi_count EQUAL 0)
  message(WARNING "No MPI library found: only model machines can be measured. Install one "
                  "(scripts/packages.txt names them) or add its lib/pkgconfig to PKG_CONFIG_PATH.")
elseif(breakeven_mpi_count EQUAL 1)
  message(STATUS "One MPI library found: one worker is built, for ${BREAKEVEN_MPI_LIBRARIES}")
endif()
