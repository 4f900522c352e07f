# Finds every MPI library on this machine, so that one build makes a worker for each.
#
# Sets BREAKEVEN_MPI_LIBRARIES (a list of mpich, openmpi), for each the imported target
# PkgConfig::<name>, and the cache variable BREAKEVEN_MPIEXEC_<name>, its launcher.
# A library outside the system's folders is found through PKG_CONFIG_PATH and PATH. BREAKEVEN_MPICC names
# the compiler of one library, and then no other library is used.
find_package(PkgConfig REQUIRED)

set(BREAKEVEN_MPICC "" CACHE STRING "The mpicc of the one MPI library to build for [all that pkg-config finds]")
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

function(breakeven_use_mpicc)
  find_program(MPI_C_COMPILER NAMES ${BREAKEVEN_MPICC} REQUIRED)
  find_package(MPI REQUIRED COMPONENTS C)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  foreach(each macro IN ZIP_LISTS names macros)
    check_c_source_compiles("#include <mpi.h>\n#ifndef ${macro}\n#error\n#endif\nint main(void) { return 0; }"
                            BREAKEVEN_MPICC_IS_${each})
    if(BREAKEVEN_MPICC_IS_${each})
      set(name ${each})
      break()
    endif()
  endforeach()
  if(NOT name)
    message(FATAL_ERROR "${BREAKEVEN_MPICC} is the compiler of neither MPICH nor Open MPI nor a library derived from "
                        "them: its mpi.h defines none of ${macros}")
  endif()
  cmake_path(GET MPI_C_COMPILER PARENT_PATH programs)
  find_program(BREAKEVEN_MPIEXEC_${name} NAMES ${launchers_${name}} mpiexec HINTS ${programs} NO_DEFAULT_PATH
               REQUIRED DOC "Launcher of ${name} programs")
  message(STATUS "MPI library ${name}: ${BREAKEVEN_MPICC}, ${BREAKEVEN_MPIEXEC_${name}}")
  # The loader may not know the folder of the library.
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON PARENT_SCOPE)
  set_target_properties(MPI::MPI_C PROPERTIES IMPORTED_GLOBAL ON)
  add_library(PkgConfig::${name} ALIAS MPI::MPI_C)
  set(BREAKEVEN_MPI_LIBRARIES ${name} PARENT_SCOPE)
endfunction()

set(names mpich openmpi)
set(macros MPICH_VERSION OMPI_MAJOR_VERSION)
set(launchers_mpich mpiexec.mpich mpiexec.hydra)
set(launchers_openmpi mpiexec.openmpi orterun prterun)
if(BREAKEVEN_MPICC)
  breakeven_use_mpicc()
  return()
endif()
breakeven_find_mpi(mpich MODULES mpich LAUNCHERS ${launchers_mpich})
breakeven_find_mpi(openmpi MODULES ompi-c ompi LAUNCHERS ${launchers_openmpi})

list(LENGTH BREAKEVEN_MPI_LIBRARIES breakeven_mpi_count)
if(breakeven_mpi_count EQUAL 0)
  message(WARNING "No MPI library found: only model machines can be measured. Install one "
                  "(scripts/packages.txt names them) or add its lib/pkgconfig to PKG_CONFIG_PATH.")
elseif(breakeven_mpi_count EQUAL 1)
  message(STATUS "One MPI library found: one worker is built, for ${BREAKEVEN_MPI_LIBRARIES}")
endif()
