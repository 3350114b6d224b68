# find_package(shflsim) gives
#   shflsim::isa      what instructions mean, the functional machine
#   shflsim::model    with isa: when things happen, on SystemC
#   shflsim::program  all of the program, its main too: what is linked beside it registers itself
@PACKAGE_INIT@
set_and_check(shflsim_include "@PACKAGE_CMAKE_INSTALL_INCLUDEDIR@/shflsim")
set_and_check(shflsim_archives "@PACKAGE_CMAKE_INSTALL_LIBDIR@")
cmake_minimum_required(VERSION 3.24)  # WHOLE_ARCHIVE
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
foreach(library systemc libelf libdw liblz4 libzstd)
  string(TOUPPER SHFLSIM_${library} prefix)
  pkg_check_modules(${prefix} REQUIRED QUIET IMPORTED_TARGET ${library})
endforeach()
find_dependency(Boost COMPONENTS context program_options)
find_dependency(nlohmann_json)
find_dependency(fmt)
find_dependency(ZLIB)
find_dependency(LibLZMA)

set(shflsim_isa_needs ZLIB::ZLIB PkgConfig::SHFLSIM_LIBELF PkgConfig::SHFLSIM_LIBDW
                      PkgConfig::SHFLSIM_LIBLZ4 PkgConfig::SHFLSIM_LIBZSTD fmt::fmt)
set(shflsim_model_needs ${shflsim_isa_needs} LibLZMA::LibLZMA PkgConfig::SHFLSIM_SYSTEMC
                        Boost::context Boost::program_options nlohmann_json::nlohmann_json)
set(shflsim_program_needs ${shflsim_model_needs} SQLiteCpp sqlite3)
set(shflsim_isa_floors isa)
set(shflsim_model_floors model traces isa)
set(shflsim_program_floors main cli sweep report rtl runtime model traces isa)

foreach(floor IN LISTS shflsim_program_floors)
  if(NOT TARGET shflsim::${floor}_archive)
    add_library(shflsim::${floor}_archive STATIC IMPORTED)
    set_target_properties(shflsim::${floor}_archive PROPERTIES IMPORTED_LOCATION
                          "${shflsim_archives}/libshflsim_${floor}.a")
  endif()
endforeach()
foreach(part isa model program)
  if(NOT TARGET shflsim::${part})
    add_library(shflsim::${part} INTERFACE IMPORTED)
    # SystemC's library links with C++17 alone.
    target_compile_features(shflsim::${part} INTERFACE cxx_std_17)
    target_include_directories(shflsim::${part} SYSTEM INTERFACE "${shflsim_include}")
    foreach(floor IN LISTS shflsim_${part}_floors)
      target_link_libraries(shflsim::${part} INTERFACE
                            "$<LINK_LIBRARY:WHOLE_ARCHIVE,shflsim::${floor}_archive>")
    endforeach()
    target_link_libraries(shflsim::${part} INTERFACE ${shflsim_${part}_needs})
  endif()
endforeach()
