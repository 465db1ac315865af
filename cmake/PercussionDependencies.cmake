# The libraries used by Percussion, as imported targets, for the build as well as for
# find_package(Percussion). Variables to set before:
#
#   percussion_components       required libraries of Percussion: cone, percussion
#   PERCUSSION_DEALII_VARIANT   DEBUG or RELEASE: the variant of deal.II's library
#   find_dependency             a macro that finds a package or reports that it is missing

if("cone" IN_LIST percussion_components)
  find_dependency(LAPACK)
  find_dependency(SuiteSparse)
  find_dependency(HDF5Serial)
endif()

if("percussion" IN_LIST percussion_components)
  find_dependency(MPI) # VTK's targets refer to it
  find_dependency(VTK 9.1 COMPONENTS CommonCore CommonDataModel IOLegacy IOXML)
  find_dependency(deal.II 9.4)
  foreach(feature TRILINOS GMSH MUPARSER MPI)
    if(NOT DEAL_II_WITH_${feature})
      message(FATAL_ERROR "Percussion needs a deal.II that was configured with ${feature}")
    endif()
  endforeach()

  # deal.II 9.4 gives its libraries in variables; collect them in one interface target.
  if(NOT TARGET Percussion::dealii)
    include(${DEAL_II_TARGET_CONFIG})
    add_library(Percussion::dealii INTERFACE IMPORTED)
    target_include_directories(Percussion::dealii SYSTEM INTERFACE ${DEAL_II_INCLUDE_DIRS})
    target_link_libraries(Percussion::dealii
      INTERFACE ${DEAL_II_TARGET_${PERCUSSION_DEALII_VARIANT}})
    if(PERCUSSION_DEALII_VARIANT STREQUAL "DEBUG")
      target_compile_definitions(Percussion::dealii INTERFACE DEBUG)
    endif()
    target_compile_options(Percussion::dealii INTERFACE -pthread)
    target_link_options(Percussion::dealii INTERFACE -pthread -rdynamic)
  endif()
endif()
