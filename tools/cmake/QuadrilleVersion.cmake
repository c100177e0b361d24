# What `--version` of the programs says: the version of the project, the commit, and what they are built with.
include_guard(GLOBAL)

# Configured again when the commit changes, not for every change of a file: what is built between two commits says so of the
# first.
set(QUADRILLE_COMMIT "" CACHE STRING "Commit that is built; empty: asked of git")
set(quadrille_commit "${QUADRILLE_COMMIT}")
set(quadrille_commit_date "")
find_program(QUADRILLE_GIT git)
if(NOT quadrille_commit AND QUADRILLE_GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${QUADRILLE_GIT} log -1 "--format=%h %cs" --abbrev=12 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE quadrille_said OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(quadrille_said MATCHES "^([0-9a-f]+) (.*)$")
    set(quadrille_commit ${CMAKE_MATCH_1})
    set(quadrille_commit_date ${CMAKE_MATCH_2})
  endif()
endif()
if(NOT quadrille_commit)
  set(quadrille_commit unknown)
endif()

set(quadrille_built_with
  "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, protobuf ${Protobuf_VERSION}, nats.c ${nats_VERSION}, libpqxx ${pqxx_VERSION}, libpq ${pq_VERSION}, spdlog ${spdlog_VERSION}, prometheus-cpp ${prometheus_VERSION}, cpp-httplib ${httplib_VERSION}, CLI11 ${CLI11_VERSION}, OpenSSL ${OPENSSL_VERSION}")
