# Sets BREAKEVEN_PYTHON: the first python3 in PATH that has matplotlib, else the first one.
function(breakeven_has_matplotlib result python)
  execute_process(COMMAND ${python} -c "import matplotlib" RESULT_VARIABLE status
                  OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

find_program(BREAKEVEN_PYTHON NAMES python3 VALIDATOR breakeven_has_matplotlib
             DOC "Python 3 with matplotlib, for the plots")
if(NOT BREAKEVEN_PYTHON)
  message(STATUS "No python3 with matplotlib found: no plots (Debian: python3-matplotlib)")
  unset(BREAKEVEN_PYTHON CACHE)
  find_program(BREAKEVEN_PYTHON NAMES python3 REQUIRED)
endif()
