# What `cmake --install` puts where: the libraries that a participant links, by find_package(quadrille) or pkg-config, in
# component dev; the programs and the files that travel with them in component tools.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(quadrille_share ${CMAKE_INSTALL_DATADIR}/quadrille)
set(quadrille_cmake ${CMAKE_INSTALL_LIBDIR}/cmake/quadrille)

# Static libraries: a participant is one program, and the direction of dependencies is that of the source tree.
set(quadrille_linked
  quadrille_api quadrille_options quadrille_core quadrille_version quadrille_manual quadrille_contract quadrille_jetstream quadrille_postgres quadrille_telemetry
  quadrille_http quadrille_orchestrator quadrille_memory quadrille_casefile quadrille_casefile_messages quadrille_runtime quadrille_testing quadrille_rerun
  quadrille_framework)
foreach(target ${quadrille_linked})
  string(REGEX REPLACE "^quadrille_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
install(TARGETS ${quadrille_linked} EXPORT quadrille ARCHIVE COMPONENT dev)
install(TARGETS protoc-gen-quadrille EXPORT quadrille RUNTIME COMPONENT dev)
install(EXPORT quadrille NAMESPACE quadrille:: DESTINATION ${quadrille_cmake} FILE quadrille-targets.cmake COMPONENT dev)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/framework/include/quadrille TYPE INCLUDE COMPONENT dev)
# Generated code includes that of the vocabulary.
get_target_property(quadrille_options_folder quadrille_options BINARY_DIR)
install(DIRECTORY ${quadrille_options_folder}/generated/quadrille TYPE INCLUDE COMPONENT dev FILES_MATCHING PATTERN "*.h")

configure_package_config_file(${PROJECT_SOURCE_DIR}/tools/cmake/quadrille-config.cmake.in ${PROJECT_BINARY_DIR}/quadrille-config.cmake
  INSTALL_DESTINATION ${quadrille_cmake} PATH_VARS quadrille_share)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/quadrille-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/quadrille-config.cmake ${PROJECT_BINARY_DIR}/quadrille-config-version.cmake
              ${PROJECT_SOURCE_DIR}/tools/cmake/QuadrilleContract.cmake
  DESTINATION ${quadrille_cmake} COMPONENT dev)

# For those who build without CMake: every archive, in the order of who needs whom.
set(quadrille_archives
  framework testing rerun orchestrator runtime manual memory postgres jetstream http telemetry contract casefile casefile_messages version core options)
list(TRANSFORM quadrille_archives PREPEND "-lquadrille_")
list(JOIN quadrille_archives " " quadrille_archives)
# Paths from where the file is: it may be installed anywhere.
file(RELATIVE_PATH quadrille_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/quadrille.pc.in ${PROJECT_BINARY_DIR}/quadrille.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/quadrille.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

install(TARGETS quadrille quadrille-tracker RUNTIME COMPONENT tools)
install(FILES ${PROJECT_BINARY_DIR}/tools/quadrille/quadrille.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME quadrille COMPONENT tools)
install(DIRECTORY ${PROJECT_BINARY_DIR}/tools/quadrille/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tools)
install(FILES ${PROJECT_BINARY_DIR}/tools/quadrille/protoc-gen-quadrille.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/contracts/quadrille DESTINATION ${quadrille_share}/contracts COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/migrations/framework DESTINATION ${quadrille_share}/migrations COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/scaffold/templates DESTINATION ${quadrille_share} COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tests/checker/rules/ DESTINATION ${quadrille_share}/rules COMPONENT tools)

# Debian packages by `cpack --config BUILD/CPackConfig.cmake`: the tools, and what a participant is built with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "The Quadrille authors <quadrille@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL dev tools)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME quadrille)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION database)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "nats-server, postgresql, graphviz")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libquadrille-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "quadrille (= ${PROJECT_VERSION}), protobuf-compiler, libprotobuf-dev, libnats-dev, libpq-dev, libspdlog-dev, prometheus-cpp-dev, libcli11-dev, nlohmann-json3-dev, libcpp-httplib-dev, libssl-dev, uuid-dev, pkg-config")
include(CPack)
