# The libraries that Percussion stands on, as imported targets.

find_package(deal.II 9.4 REQUIRED)
foreach(feature TRILINOS GMSH MUPARSER MPI)
  if(NOT DEAL_II_WITH_${feature})
    message(FATAL_ERROR "Percussion needs a deal.II that was configured with ${feature}")
  endif()
endforeach()

# deal.II 9.4 names its libraries through variables; one interface target carries them on.
include(${DEAL_II_TARGET_CONFIG})
add_library(percussion_dealii INTERFACE)
target_include_directories(percussion_dealii SYSTEM INTERFACE ${DEAL_II_INCLUDE_DIRS})
target_link_libraries(percussion_dealii INTERFACE
  $<$<CONFIG:Debug>:${DEAL_II_TARGET_DEBUG}> $<$<NOT:$<CONFIG:Debug>>:${DEAL_II_TARGET_RELEASE}>)
target_compile_definitions(percussion_dealii INTERFACE $<$<CONFIG:Debug>:DEBUG>)
target_compile_options(percussion_dealii INTERFACE -pthread)
target_link_options(percussion_dealii INTERFACE -pthread -rdynamic)

find_package(LAPACK REQUIRED)
find_package(MPI REQUIRED) # VTK's targets name it
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(GIF REQUIRED)
find_package(VTK 9.1 REQUIRED COMPONENTS
  CommonCore CommonDataModel IOXML FiltersCore FiltersGeneral FiltersGeometry FiltersSources
  RenderingCore RenderingOpenGL2 RenderingFreeType RenderingAnnotation RenderingContextOpenGL2
  InteractionStyle ViewsContext2D ChartsCore IOImage ImagingColor)

find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)
find_library(UMFPACK_LIBRARY umfpack REQUIRED)
add_library(percussion_suitesparse INTERFACE)
target_include_directories(percussion_suitesparse SYSTEM INTERFACE ${CHOLMOD_INCLUDE_DIR})
target_link_libraries(percussion_suitesparse INTERFACE ${CHOLMOD_LIBRARY} ${KLU_LIBRARY}
  ${UMFPACK_LIBRARY})

# FCLib's own target drags in curl and more. It stands on the serial HDF5, and so must what checks
# its files: others here bring the parallel one along.
find_path(FCLIB_INCLUDE_DIR fclib.h REQUIRED)
find_library(FCLIB_LIBRARY fclib REQUIRED)
find_path(HDF5_SERIAL_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(HDF5_SERIAL_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial REQUIRED)
add_library(percussion_fclib INTERFACE)
target_include_directories(percussion_fclib SYSTEM INTERFACE
  ${FCLIB_INCLUDE_DIR} ${HDF5_SERIAL_INCLUDE_DIR})
target_link_libraries(percussion_fclib INTERFACE ${FCLIB_LIBRARY} ${HDF5_SERIAL_LIBRARY})
