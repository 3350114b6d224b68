# `cpack -G DEB`: shflsim, libshflsim-dev and python3-shflsim, by component. scripts/package configures
# for it, and tries the packages on a clean Debian.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME shflsim)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Times SASS on a model of one NVIDIA SM and its shuffle unit")
set(CPACK_PACKAGE_CONTACT "shflsim's developers <shflsim@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development python)
if(NOT TARGET shflsim_python)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME shflsim)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "The program, its manual pages and completion, the shipped machines and example kernels.")

# Archives need what they were built on.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libshflsim-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "shflsim (= ${PROJECT_VERSION}), cmake (>= 3.24), pkg-config, libsystemc-dev, libelf-dev, libdw-dev, liblz4-dev, libzstd-dev, zlib1g-dev, liblzma-dev, libboost-context-dev, libboost-program-options-dev, nlohmann-json3-dev, libfmt-dev, libsqlitecpp-dev, libsqlite3-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers, archives and CMake package for programs and shuffle networks of one's own.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-shflsim)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
if(TARGET shflsim_python)
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "shflsim (= ${PROJECT_VERSION}), python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_minor})")
endif()
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Runs, compares and sweeps from Python, in columns.")
include(CPack)
