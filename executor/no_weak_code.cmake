# Fails when an object holds code that the linker may share with other objects (reduce_loops.cpp).
# cmake -D nm=<program> -D object=<file> -P no_weak_code.cmake
execute_process(COMMAND ${nm} --demangle ${object}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES " T [^\n]*reduce_loop")
  message(FATAL_ERROR "${object} does not hold the loops")
endif()
if(symbols MATCHES "[^\n]* [Wu] [^\n]*")
  message(FATAL_ERROR "${object} holds code that could run on any CPU: ${CMAKE_MATCH_0}")
endif()
