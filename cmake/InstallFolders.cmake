# Where an installation has what: programs, libraries, man pages and so on as GNUInstallDirs says, and
#   BREAKEVEN_INSTALL_WORKERS  workers and what only they and `breakeven` use
#   BREAKEVEN_INSTALL_DATA     scripts, and the sources of `breakeven worker build`
# The components: program, what every installation needs; mpich, openmpi and smpi, what needs that
# library; cpp, what building C++ programs needs; sources.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
set(BREAKEVEN_INSTALL_WORKERS ${CMAKE_INSTALL_LIBEXECDIR}/breakeven)
set(BREAKEVEN_INSTALL_DATA ${CMAKE_INSTALL_DATADIR}/breakeven)
if(BREAKEVEN_WORKER_ONLY)
  set(BREAKEVEN_INSTALL_WORKERS .)
endif()

# breakeven_from_programs(<variable> <folder>): the way to an installed folder from that of the programs.
function(breakeven_from_programs variable folder)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} NORMALIZE)
  file(RELATIVE_PATH way ${CMAKE_INSTALL_FULL_BINDIR} ${folder})
  set(${variable} ${way} PARENT_SCOPE)
endfunction()
