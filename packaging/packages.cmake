# Debian packages of an installation, one for each component: packaging/debian/build.sh makes them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Breakeven authors <maintainers@users.noreply.a-seed-5378c9cd.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL program cpp sources ${BREAKEVEN_MPI_LIBRARIES} ${BREAKEVEN_SMPI})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/debian/finish.cmake)

# breakeven_package(<component> <name> <summary> <description> [<control field> <value>]...)
function(breakeven_package component name summary description)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  while(ARGN)
    list(POP_FRONT ARGN field value)
    set(CPACK_DEBIAN_${key}_PACKAGE_${field} ${value} PARENT_SCOPE)
  endwhile()
endfunction()

set(same "(= ${PROJECT_VERSION})")
set(what "Breakeven measures which algorithm of each MPI collective is fastest on a
machine, and writes tables for MPI libraries and programs.")
breakeven_package(program breakeven
  "finds the fastest algorithm of each MPI collective"
  "${what} This package has
the program, which measures MPI libraries by breakeven-mpich and
breakeven-openmpi."
  DEPENDS python3
  RECOMMENDS "breakeven-mpich ${same} | breakeven-openmpi ${same}"
  SUGGESTS "python3-matplotlib, breakeven-smpi, breakeven-worker-source")
set(of_library "${what} This package has
the worker that measures the library, and the shared libraries for its
programs: one that is preloaded, one for C++.")
breakeven_package(mpich breakeven-mpich
  "finds the fastest algorithm of each collective of MPICH" "${of_library}"
  DEPENDS "breakeven ${same}, mpich"
  CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/triggers)
breakeven_package(openmpi breakeven-openmpi
  "finds the fastest algorithm of each collective of Open MPI" "${of_library}"
  DEPENDS "breakeven ${same}, openmpi-bin"
  CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/triggers)
breakeven_package(smpi breakeven-smpi
  "measures MPI collectives on simulated platforms"
  "${what} This package
measures on platforms that SimGrid simulates."
  DEPENDS "breakeven ${same}, libsimgrid-dev")
breakeven_package(cpp libbreakeven-dev
  "MPI collectives by chosen algorithms, for C++ programs"
  "${what} This package has
the header of its C++ library, and the files by which CMake and pkg-config
find that library."
  SECTION libdevel
  DEPENDS "breakeven-mpich ${same} | breakeven-openmpi ${same}"
  SUGGESTS "libmpich-dev, libopenmpi-dev")
breakeven_package(sources breakeven-worker-source
  "source of Breakeven's workers, for another MPI library"
  "${what} This package has
the sources that `breakeven worker build` compiles for an MPI library that is
not in a package."
  ARCHITECTURE all
  DEPENDS "breakeven ${same}, cmake, g++, make, pkg-config, libboost-dev, libfmt-dev, \
libhwloc-dev, nlohmann-json3-dev")
include(CPack)
