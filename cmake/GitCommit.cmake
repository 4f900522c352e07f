# Writes core/version.hpp with the commit. Runs at every build; changes the file only after a commit.
# cmake -DIN=... -DOUT=... -DPROJECT_VERSION=... -DPROJECT_SOURCE_DIR=... -DBREAKEVEN_PYTHON=... -DBREAKEVEN_COMPILER=...
#   -DBREAKEVEN_MPI=... -P
# `git archive` puts the commit here, also that of a forge's archives.
set(BREAKEVEN_GIT_COMMIT "$Format:%H$")
if(BREAKEVEN_GIT_COMMIT MATCHES Format)
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} describe --always --dirty --abbrev=12
                  OUTPUT_VARIABLE BREAKEVEN_GIT_COMMIT ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
else()
  string(SUBSTRING ${BREAKEVEN_GIT_COMMIT} 0 12 BREAKEVEN_GIT_COMMIT)
endif()
if(NOT BREAKEVEN_GIT_COMMIT)
  set(BREAKEVEN_GIT_COMMIT "no git commit")
endif()
configure_file(${IN} ${OUT} @ONLY)
