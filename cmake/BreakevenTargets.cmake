# Functions that make targets and tests.

find_program(BREAKEVEN_TIMEOUT NAMES timeout REQUIRED)

# For this project's libraries and tests, and for no other target.
set(breakeven_unity_build ${CMAKE_UNITY_BUILD})
set(CMAKE_UNITY_BUILD OFF)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)

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

# breakeven_files(<variable> <pattern> [ONLY <name>...] [EXCEPT <name>...])
# Sets the variable to the files of this folder and of those below it that have no CMakeLists.txt of their own. A
# name is a regular expression for a path from here, with its suffix or without. Each build looks for new files.
function(breakeven_files variable pattern)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ONLY;EXCEPT")
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB_RECURSE found RELATIVE ${here} CONFIGURE_DEPENDS ${pattern})
  file(GLOB_RECURSE lists RELATIVE ${here} CMakeLists.txt)
  list(REMOVE_ITEM lists CMakeLists.txt)
  list(TRANSFORM lists REPLACE "CMakeLists.txt$" ".+")
  list(FILTER found EXCLUDE REGEX "(^|/)[.#]")  # an editor's
  if(arg_ONLY)
    list(JOIN arg_ONLY "|" only)
    list(FILTER found INCLUDE REGEX "^(${only})(\\.[a-z]+)?$")
  endif()
  set(except ${arg_EXCEPT} ${lists})
  if(except)
    list(JOIN except "|" except)
    list(FILTER found EXCLUDE REGEX "^(${except})(\\.[a-z]+)?$")
  endif()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# breakeven_library(<name> [COLD|VALUES] [ONLY <name>...] [EXCEPT <name>...] [LINK <library>...] [PRECOMPILE <header>...])
# A folder's library: its files (breakeven_files), without those of tests and programs. Every header is compiled alone
# by the target all_verify_interface_header_sets. COLD code runs once for a launch or a report: to optimise it less
# saves more time than it costs. VALUES: code that casts no pointer to a wider type, so that none is misaligned. Where
# CMAKE_UNITY_BUILD is on, twelve sources at a time are one for the compiler: no two of them may give a name of their
# own to different things. The headers that most sources include are then precompiled; PRECOMPILE names others for a
# library whose options differ from those of the rest.
function(breakeven_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;VALUES" "" "ONLY;EXCEPT;LINK;PRECOMPILE")
  set(choice ONLY ${arg_ONLY} EXCEPT ${arg_EXCEPT} ".*(_test|testing|_test_main)" "(.*/)?main" ".*testdata/.+")
  breakeven_files(sources *.cpp ${choice})
  breakeven_files(headers *.hpp ${choice})
  add_library(breakeven_${name} STATIC ${sources})
  add_library(breakeven::${name} ALIAS breakeven_${name})
  target_sources(breakeven_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  target_link_libraries(breakeven_${name} PUBLIC ${arg_LINK})
  set_target_properties(breakeven_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  if(arg_COLD)
    target_compile_options(breakeven_${name} PRIVATE ${BREAKEVEN_COLD_OPTIONS})
  elseif(arg_VALUES)
    target_compile_options(breakeven_${name} PRIVATE ${BREAKEVEN_VALUES_OPTIONS})
  endif()
  if(breakeven_unity_build)
    set_target_properties(breakeven_${name} PROPERTIES UNITY_BUILD ON)
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

# breakeven_mpi_library(<name> [EXCEPT <name>...] [NOT_FOR_SMPI <name>...] [LINK <library>...])
# The same, once for each MPI library found: breakeven::<name>_mpich, breakeven::<name>_openmpi, and for SMPI. The
# folders mpich/, openmpi/ and smpi/ have each library's own files, which replace those of the same name in this
# folder. In LINK, <mpi> stands for the library's name.
function(breakeven_mpi_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "EXCEPT;NOT_FOR_SMPI;LINK")
  set(first "")
  foreach(mpi IN LISTS BREAKEVEN_MPI_LIBRARIES BREAKEVEN_SMPI)
    set(foreign mpich openmpi smpi)
    list(REMOVE_ITEM foreign ${mpi})
    list(TRANSFORM foreign APPEND "/.+")
    breakeven_files(own *.cpp ONLY "${mpi}/.+")
    list(TRANSFORM own REPLACE "^${mpi}/" "" OUTPUT_VARIABLE replaced)
    if(mpi STREQUAL BREAKEVEN_SMPI)
      list(APPEND replaced ${arg_NOT_FOR_SMPI})
    endif()
    string(REPLACE "<mpi>" "${mpi}" link "${arg_LINK}")
    breakeven_library(${name}_${mpi} EXCEPT ${arg_EXCEPT} ${foreign} ${replaced} LINK ${link} PkgConfig::${mpi})
    # The C++ bindings are gone from MPI; their headers warn.
    target_compile_definitions(breakeven_${name}_${mpi} PUBLIC OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    # A header that all libraries have is compiled alone once.
    breakeven_files(own *.hpp ONLY "${mpi}/.+")
    if(NOT first)
      set(first ${mpi})
    elseif(own)
      target_sources(breakeven_${name}_${mpi} PUBLIC FILE_SET own TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${own})
      set_target_properties(breakeven_${name}_${mpi} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY own)
    else()
      set_target_properties(breakeven_${name}_${mpi} PROPERTIES VERIFY_INTERFACE_HEADER_SETS OFF)
    endif()
  endforeach()
endfunction()

# breakeven_test(<name> [SOURCES <file>...] [LINK <library>...] [LONG <filter>])
# A GoogleTest program without MPI, of the folder's *_test.cpp; LINK is breakeven::<name> if nothing is named. The tests
# that LONG names take long. Twelve files at a time are one for the compiler, as the sources of a library are.
# *_study_test.cpp are a program of long tests, <name>_study: it is optimised, because it runs for longer than that
# takes to compile, and apart, because of equal functions from headers the linker takes whichever comes first.
function(breakeven_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LONG" "SOURCES;LINK")
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT arg_LINK)
    set(arg_LINK breakeven::${name})
  endif()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  set(programs ${name}_test)
  breakeven_files(${name}_test *_test.cpp EXCEPT ".*_mpi_test" ".*_study_test")
  breakeven_files(${name}_study *_study_test.cpp)
  if(${name}_study AND BREAKEVEN_LONG_TESTS)
    list(APPEND programs ${name}_study)
  endif()
  foreach(program IN LISTS programs)
    add_executable(${program} ${${program}} ${arg_SOURCES})
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
    target_link_libraries(${program} PRIVATE ${arg_LINK} fmt::fmt GTest::gtest_main)
    breakeven_warnings(${program})
  endforeach()
  target_compile_options(${name}_test PRIVATE ${BREAKEVEN_TEST_OPTIONS})
  breakeven_precompile(test ${name}_test <gtest/gtest.h> <algorithm> <ranges>)
  if(breakeven_unity_build)
    set_target_properties(${name}_test PROPERTIES UNITY_BUILD ON)
  endif()
  set(long PROPERTIES TIMEOUT 600 COST 90 LABELS long)
  if(TARGET ${name}_study)
    gtest_discover_tests(${name}_study DISCOVERY_TIMEOUT 60 ${long})
  endif()
  if(arg_LONG)
    if(BREAKEVEN_LONG_TESTS)
      gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 TEST_LIST ${name}_long_tests TEST_FILTER ${arg_LONG} ${long})
    endif()
    set(short TEST_FILTER -${arg_LONG})
  endif()
  gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 ${short} PROPERTIES TIMEOUT 300)
endfunction()

# breakeven_script_test(<script> [<argument>...])
# A Python script of this folder, as the test <folder>.<name>; exit status 77: it can't run here.
function(breakeven_script_test script)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  cmake_path(GET script STEM name)
  add_test(NAME ${folder}.${name} COMMAND ${BREAKEVEN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${folder}.${name} PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77)
endfunction()

# breakeven_mpi_command(<variable> <mpi> <ranks>)
# Sets the variable to the command line that runs a program, named behind it, on this number of ranks.
function(breakeven_mpi_command variable mpi ranks)
  # The outer time limit ends the ranks too when the launcher itself hangs.
  set(command ${BREAKEVEN_TIMEOUT} --kill-after=5 100 ${BREAKEVEN_MPIEXEC_${mpi}} -n ${ranks})
  # For the ranks only: the launcher has no UCX.
  if(mpi STREQUAL mpich AND ranks GREATER 2)
    list(APPEND command -genv LD_PRELOAD $<TARGET_FILE:breakeven_yield>)
  endif()
  set(${variable} ${command} PARENT_SCOPE)
endfunction()

# breakeven_mpi_run(<test> <mpi> <ranks> <word>...): a CTest test of a program, whose words end the launcher's command.
function(breakeven_mpi_run test mpi ranks)
  breakeven_mpi_command(command ${mpi} ${ranks})
  add_test(NAME ${test} COMMAND ${command} ${ARGN})
  breakeven_mpi_test_properties(${test})
endfunction()

# breakeven_mpi_test(<path> [SOURCES <file>...] LINK <library>... RANKS <n>... [MPI <library>...])
# A GoogleTest program over MPI, of <path>_mpi_test.cpp. Registers one CTest test for each MPI library and number of
# ranks: <name>.<mpi>.p<n>, where <name> ends the path. <mpi> in LINK as in breakeven_mpi_library. MPI names the
# libraries that it is for, if not for all.
function(breakeven_mpi_test path)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;RANKS;MPI")
  if(NOT BUILD_TESTING)
    return()
  endif()
  find_package(GTest REQUIRED)
  cmake_path(GET path FILENAME name)
  foreach(mpi IN LISTS BREAKEVEN_MPI_LIBRARIES)
    if(arg_MPI AND NOT mpi IN_LIST arg_MPI)
      continue()
    endif()
    string(REPLACE "<mpi>" "${mpi}" link "${arg_LINK}")
    add_executable(${name}_mpi_test_${mpi} ${path}_mpi_test.cpp ${arg_SOURCES}
                   ${PROJECT_SOURCE_DIR}/executor/mpi_test_main.cpp)
    target_include_directories(${name}_mpi_test_${mpi} PRIVATE ${PROJECT_BINARY_DIR}/generated)
    target_link_libraries(${name}_mpi_test_${mpi} PRIVATE ${link} GTest::gtest)
    breakeven_warnings(${name}_mpi_test_${mpi})
    target_compile_options(${name}_mpi_test_${mpi} PRIVATE ${BREAKEVEN_TEST_OPTIONS})
    breakeven_precompile(test ${name}_mpi_test_${mpi})
    foreach(ranks IN LISTS arg_RANKS)
      breakeven_mpi_run(${name}.${mpi}.p${ranks} ${mpi} ${ranks} $<TARGET_FILE:${name}_mpi_test_${mpi}>)
      if(ranks EQUAL 1)
        set_tests_properties(${name}.${mpi}.p1 PROPERTIES PROCESSORS 1)
      elseif(ranks GREATER 5)
        set_property(TEST ${name}.${mpi}.p${ranks} APPEND PROPERTY LABELS long)
      endif()
    endforeach()
  endforeach()
endfunction()

# breakeven_mpi_test_properties(<test>): the properties of a CTest test that starts MPI ranks.
function(breakeven_mpi_test_properties test)
  set_tests_properties(${test} PROPERTIES
    PROCESSORS 2 TIMEOUT 120 LABELS mpi ENVIRONMENT "${breakeven_mpi_environment}")
endfunction()

# Open MPI needs these settings for more ranks than cores, as root, in a container. MPI libraries leak
# at exit; all other reports of the sanitizers are about our code. The preloaded yield library comes
# before the sanitizer's runtime, which is harmless: it replaces nothing of the runtime.
set(breakeven_mpi_environment
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0)

function(breakeven_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                         $<$<BOOL:${BREAKEVEN_WERROR}>:-Werror>)
endfunction()
