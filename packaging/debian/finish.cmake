# CPack runs this on the installed files before it makes packages of them: it adds the files that Debian's
# policy requires of every package.
file(GLOB components LIST_DIRECTORIES true ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
foreach(folder IN LISTS components)
  cmake_path(GET folder FILENAME component)
  string(TOUPPER ${component} key)
  set(name ${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  set(share ${folder}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${share}/doc/${name})
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${share}/doc/${name}/changelog @ONLY)
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/${name}.lintian-overrides)
    file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/${name}.lintian-overrides ${folder}/${name})
    file(COPY ${folder}/${name} DESTINATION ${share}/lintian/overrides)
    file(REMOVE ${folder}/${name})
  endif()
  if(EXISTS ${share}/zsh/site-functions)  # packages must not use this folder
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  endif()
  file(GLOB pages ${share}/man/man1/*.1)
  execute_process(COMMAND gzip -9n ${share}/doc/${name}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
  # The umask at the time when the sources were unpacked must not matter.
  execute_process(COMMAND chmod -R u+w,go-w ${share} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
