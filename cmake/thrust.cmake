# BASCULE_THRUST_INCLUDE: the folder of Thrust's headers, in a CUDA toolkit or in pip's nvidia-cuda-cccl beside the Python
# that the build uses; not found: nothing that includes them is built.
set(thrust_positions)
if(Python_EXECUTABLE)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import sysconfig; print(sysconfig.get_path('purelib'))"
    OUTPUT_VARIABLE site_packages OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND thrust_positions ${site_packages}/nvidia/cu13/include)
endif()
list(APPEND thrust_positions $ENV{CUDA_HOME}/include $ENV{CUDA_PATH}/include /usr/local/cuda/include /usr/include)
find_path(BASCULE_THRUST_INCLUDE thrust/version.h HINTS ${thrust_positions} PATH_SUFFIXES cccl NO_DEFAULT_PATH)
mark_as_advanced(BASCULE_THRUST_INCLUDE)
