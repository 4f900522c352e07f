# The ways in which this project makes a target.

find_program(BREAKEVEN_TIMEOUT NAMES timeout REQUIRED)

# For this project's libraries, and for no other target.
set(breakeven_unity_build ${CMAKE_UNITY_BUILD})
set(CMAKE_UNITY_BUILD OFF)

# breakeven_precompile(<kind> <target> <header>...)
# The targets of a kind share these headers, precompiled, so their options must be equal.
function(breakeven_precompile kind target)
  get_property(first GLOBAL PROPERTY breakeven_first_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # others want equal definitions too
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY breakeven_first_${kind} ${target})
  endif()
endfunction()

# breakeven_library(<name> [COLD] SOURCES <file>... HEADERS <file>... [LINK <library>...]
#                   [PRECOMPILE <header>...])
# A folder's library. Every header is compiled alone by the target all_verify_interface_header_sets.
# COLD code runs once for a launch or a report: to optimise it less saves more time than it costs.
# Where CMAKE_UNITY_BUILD says so, some sources at a time make one for the compiler: no two of them
# may give a name of their own to different things. What most include is then precompiled, or what
# PRECOMPILE names, where options are not those of the others.
function(breakeven_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD" "" "SOURCES;HEADERS;LINK;PRECOMPILE")
  add_library(breakeven_${name} STATIC ${arg_SOURCES})
  add_library(breakeven::${name} ALIAS breakeven_${name})
  target_sources(breakeven_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
                 FILES ${arg_HEADERS})
  target_link_libraries(breakeven_${name} PUBLIC ${arg_LINK})
  set_target_properties(breakeven_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  if(arg_COLD)
    target_compile_options(breakeven_${name} PRIVATE -O1)
  endif()
  if(breakeven_unity_build)
    set_target_properties(breakeven_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    if(arg_PRECOMPILE)
      target_precompile_headers(breakeven_${name} PRIVATE ${arg_PRECOMPILE})
    elseif(arg_COLD)
      breakeven_precompile(cold breakeven_${name} <nlohmann/json.hpp> <fmt/ranges.h> <algorithm>
                           <filesystem> <functional> <map> <ranges>)
    else()
      breakeven_precompile(library breakeven_${name} <fmt/ranges.h> <algorithm> <filesystem>
                           <functional> <map> <ranges>)
    endif()
  endif()
  breakeven_warnings(breakeven_${name})
endfunction()

# breakeven_mpi_library(<name> SOURCES <file>... HEADERS <file>... [LINK <library>...]
#                       [mpich <file>...] [openmpi <file>...] [smpi <file>...])
# The same, once for each MPI library found: breakeven::<name>_mpich, breakeven::<name>_openmpi, and
# for SMPI. A library's own files stand for those of their names in SOURCES, where there are such.
# A LINK entry with <mpi> in it stands for that library's own build of the dependency.
function(breakeven_mpi_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;LINK;mpich;openmpi;smpi")
  foreach(mpi IN LISTS BREAKEVEN_MPI_LIBRARIES BREAKEVEN_SMPI)
    string(REPLACE "<mpi>" "${mpi}" link "${arg_LINK}")
    set(sources ${arg_SOURCES})
    string(REGEX REPLACE "(^|;)${mpi}/" "\\1" replaced "${arg_${mpi}}")
    list(REMOVE_ITEM sources ${replaced})
    list(APPEND sources ${arg_${mpi}})
    breakeven_library(${name}_${mpi} SOURCES ${sources} HEADERS ${arg_HEADERS}
                      LINK ${link} PkgConfig::${mpi})
    # The C++ bindings are gone from MPI; their headers warn.
    target_compile_definitions(breakeven_${name}_${mpi} PUBLIC OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  endforeach()
endfunction()

# breakeven_test(<name> SOURCES <file>... [STUDIES <file>...] LINK <library>... [LONG <filter>]): a
# GoogleTest program without MPI. Its tests that the filter names take long. Studies are
# optimised, because they run for longer than that takes to compile.
function(breakeven_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LONG" "SOURCES;STUDIES;LINK")
  if(NOT BUILD_TESTING)
    return()
  endif()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  # Studies first: of equal functions from headers the linker takes the first one.
  add_executable(${name}_test ${arg_STUDIES} ${arg_SOURCES})
  if(arg_STUDIES)
    set_source_files_properties(${arg_STUDIES} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>
                                SKIP_PRECOMPILE_HEADERS ON)
  endif()
  target_link_libraries(${name}_test PRIVATE ${arg_LINK} fmt::fmt GTest::gtest_main)
  breakeven_warnings(${name}_test)
  target_compile_options(${name}_test PRIVATE ${BREAKEVEN_TEST_OPTIONS})
  breakeven_precompile(test ${name}_test <gtest/gtest.h> <algorithm> <ranges>)
  if(arg_LONG)
    gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 TEST_LIST ${name}_long_tests
                         TEST_FILTER ${arg_LONG} PROPERTIES TIMEOUT 600 LABELS long)
    set(short TEST_FILTER -${arg_LONG})
  endif()
  gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 ${short} PROPERTIES TIMEOUT 300)
endfunction()

# breakeven_mpi_command(<variable> <mpi> <ranks>)
# Sets the variable to the command line before a program that makes it run on so many ranks.
function(breakeven_mpi_command variable mpi ranks)
  # The outer time limit ends the ranks too when the launcher itself hangs.
  set(command ${BREAKEVEN_TIMEOUT} --kill-after=5 100 ${BREAKEVEN_MPIEXEC_${mpi}} -n ${ranks})
  # For the ranks alone: the launcher has no UCX.
  if(mpi STREQUAL mpich AND ranks GREATER 2)
    list(APPEND command -genv LD_PRELOAD $<TARGET_FILE:breakeven_yield>)
  endif()
  set(${variable} ${command} PARENT_SCOPE)
endfunction()

# breakeven_mpi_test(<name> SOURCES <file>... LINK <library>... RANKS <n>... [MPI <library>...])
# A GoogleTest program over MPI, with a main of its own. Registers one CTest test for each MPI
# library and communicator size: <name>.<mpi>.p<n>. The exit status is the verdict; <mpi> in LINK as
# in breakeven_mpi_library. MPI names the libraries that it is for, if not for all.
function(breakeven_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;RANKS;MPI")
  if(NOT BUILD_TESTING)
    return()
  endif()
  find_package(GTest REQUIRED)
  foreach(mpi IN LISTS BREAKEVEN_MPI_LIBRARIES)
    if(arg_MPI AND NOT mpi IN_LIST arg_MPI)
      continue()
    endif()
    string(REPLACE "<mpi>" "${mpi}" link "${arg_LINK}")
    add_executable(${name}_mpi_test_${mpi} ${arg_SOURCES})
    target_link_libraries(${name}_mpi_test_${mpi} PRIVATE ${link} GTest::gtest)
    breakeven_warnings(${name}_mpi_test_${mpi})
    target_compile_options(${name}_mpi_test_${mpi} PRIVATE ${BREAKEVEN_TEST_OPTIONS})
    breakeven_precompile(test ${name}_mpi_test_${mpi})
    foreach(ranks IN LISTS arg_RANKS)
      breakeven_mpi_command(command ${mpi} ${ranks})
      add_test(NAME ${name}.${mpi}.p${ranks}
               COMMAND ${command} $<TARGET_FILE:${name}_mpi_test_${mpi}>)
      breakeven_mpi_test_properties(${name}.${mpi}.p${ranks})
      if(ranks EQUAL 1)
        set_tests_properties(${name}.${mpi}.p1 PROPERTIES PROCESSORS 1)
      elseif(ranks GREATER 5)
        set_property(TEST ${name}.${mpi}.p${ranks} APPEND PROPERTY LABELS long)
      endif()
    endforeach()
  endforeach()
endfunction()

# breakeven_mpi_test_properties(<test>): what every CTest test that starts MPI ranks needs.
function(breakeven_mpi_test_properties test)
  set_tests_properties(${test} PROPERTIES
    PROCESSORS 2 TIMEOUT 120 LABELS mpi ENVIRONMENT "${breakeven_mpi_environment}")
endfunction()

# More ranks than cores, as root, in a container: what Open MPI asks for and what MPICH can do.
# MPI libraries leak at exit; everything else that the sanitizers report is ours. The preloaded
# yield stands before the sanitizer's runtime, which is harmless: it takes over nothing of the
# runtime's.
set(breakeven_mpi_environment
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0)

function(breakeven_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                         $<$<BOOL:${BREAKEVEN_WERROR}>:-Werror>)
endfunction()
