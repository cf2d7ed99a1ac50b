# SPDX-License-Identifier: Apache-2.0
# The package for `find_package(nandscape)`: libraries, headers and data. All of it is in the installation component
# `development`, so the Python wheel contains none of it.
#
# A component of the package is the set of libraries to link for one block. `nandscape::nand` is the block nand with its
# SystemC modules; `nandscape::nand_plain` is its part without SystemC. Each component has a file of targets of its own:
# a user of `nand` alone needs neither yaml-cpp nor the decompressors.
include(CMakePackageConfigHelpers)

set(package_folder lib/cmake/nandscape)
set(header_folder include/nandscape)
set(data_folder share/nandscape)

# nandscape_component(NAME target=exported_name...): every library that another one links must be in some component.
function(nandscape_component NAME)
  foreach(pair ${ARGN})
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 target)
    list(GET pair 1 exported_name)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${exported_name})
    install(TARGETS ${target} EXPORT nandscape-${NAME}
      ARCHIVE DESTINATION lib COMPONENT development
      OBJECTS DESTINATION lib/nandscape COMPONENT development)
    set_property(GLOBAL APPEND PROPERTY NANDSCAPE_PACKAGED ${target})
  endforeach()
  install(EXPORT nandscape-${NAME} NAMESPACE nandscape:: DESTINATION ${package_folder} COMPONENT development)
endfunction()

# The include folders, which all components share.
set(blocks core protocol nand channel ecc controller host)
set(headers "")
foreach(block ${blocks} rtl platform)
  list(APPEND headers nandscape_${block}_headers=${block}_headers)
endforeach()
nandscape_component(headers ${headers})

nandscape_component(core nandscape_core=core)
nandscape_component(protocol
  nandscape_systemc=systemc nandscape_sc_main=sc_main nandscape_protocol=protocol_plain nandscape_protocol_tlm=protocol)
nandscape_component(calendar nandscape_calendar=calendar)
nandscape_component(nand nandscape_nand=nand_plain nandscape_nand_modules=nand)
nandscape_component(channel nandscape_channel=channel_plain nandscape_channel_modules=channel)
nandscape_component(ecc nandscape_ecc=ecc_plain nandscape_ecc_modules=ecc)
nandscape_component(controller nandscape_controller=controller_plain nandscape_controller_modules=controller)
nandscape_component(host nandscape_workloads=workloads nandscape_host=host_plain nandscape_host_modules=host nandscape_guest=guest)
nandscape_component(rtl
  nandscape_rtl_clock_modules=rtl_clock
  nandscape_rtl_onfi=rtl_onfi_plain nandscape_rtl_onfi_modules=rtl_onfi
  nandscape_rtl_stream=rtl_stream_plain nandscape_rtl_stream_modules=rtl_stream
  nandscape_rtl_waves=rtl_waves_plain nandscape_rtl_waves_modules=rtl_waves
  nandscape_rtl=rtl)
nandscape_component(platform
  nandscape_yaml=yaml nandscape_retention_requirements=retention_requirements nandscape_platform=platform)

# Headers that only our own sources include are not installed: one needs Boost, the others belong to the construction of
# LDPC matrices.
foreach(block ${blocks} rtl)
  install(DIRECTORY models/${block} DESTINATION ${header_folder} COMPONENT development FILES_MATCHING PATTERN "*.h"
    PATTERN bracketed_root.h EXCLUDE
    PATTERN construct EXCLUDE)
endforeach()
install(DIRECTORY platform DESTINATION ${header_folder} COMPONENT development FILES_MATCHING PATTERN "*.h")
install(DIRECTORY platform/presets platform/cells platform/codes platform/read_timing platform/profiles
  DESTINATION ${data_folder} COMPONENT development)

configure_package_config_file(cmake/nandscapeConfig.cmake.in ${PROJECT_BINARY_DIR}/package/nandscapeConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/nandscapeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/nandscapeConfig.cmake ${PROJECT_BINARY_DIR}/package/nandscapeConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT development)

# Builds everything that `cmake --install BUILD --component development` needs.
add_custom_target(nandscape_package)
get_property(packaged GLOBAL PROPERTY NANDSCAPE_PACKAGED)
foreach(target ${packaged})
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    add_dependencies(nandscape_package ${target})
  endif()
endforeach()
