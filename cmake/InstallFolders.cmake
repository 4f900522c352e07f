# The folders of an installation: those of GNUInstallDirs, and
#   BREAKEVEN_INSTALL_WORKERS  workers, and files that only they and `breakeven` use
#   BREAKEVEN_INSTALL_DATA     scripts, and the sources of `breakeven worker build`
# Its components: program, for every installation; mpich, openmpi and smpi, for programs of that library; cpp,
# to build C++ programs; sources.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
set(BREAKEVEN_INSTALL_WORKERS ${CMAKE_INSTALL_LIBEXECDIR}/breakeven)
set(BREAKEVEN_INSTALL_DATA ${CMAKE_INSTALL_DATADIR}/breakeven)
if(BREAKEVEN_WORKER_ONLY)
  set(BREAKEVEN_INSTALL_WORKERS .)
endif()

# breakeven_from_programs(<variable> <folder>): the path of an installed folder, relative to the programs.
function(breakeven_from_programs variable folder)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} NORMALIZE)
  file(RELATIVE_PATH way ${CMAKE_INSTALL_FULL_BINDIR} ${folder})
  set(${variable} ${way} PARENT_SCOPE)
endfunction()
