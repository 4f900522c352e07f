# breakeven_embed_text(<target> FILE <text file> HEADER <header> FUNCTION <name>)
# Compiles a text file into <target> as the function `std::string_view breakeven::<name>()`, which <header>
# declares. This file is also the script that writes the function, whenever the text changes.
function(breakeven_embed_text target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;HEADER;FUNCTION" "")
  cmake_path(ABSOLUTE_PATH arg_FILE OUTPUT_VARIABLE source)
  cmake_path(IS_ABSOLUTE arg_FILE of_system)
  if(of_system)
    cmake_path(GET arg_FILE FILENAME arg_FILE)
  endif()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${arg_FILE}.cpp)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -D source=${source} -D header=${arg_HEADER}
            -D function=${arg_FUNCTION} -D generated=${generated} -P ${script}
    DEPENDS ${source} ${script}
    COMMENT "Embedding ${arg_FILE}"
    VERBATIM)
  target_sources(${target} PRIVATE ${generated})
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(READ ${source} text)
  file(WRITE ${generated} "#include \"${header}\"\n\n"
       "std::string_view breakeven::${function}() { return R\"embedded(${text})embedded\"; }\n")
endif()
