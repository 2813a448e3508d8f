# BASCULE_NVCC: NVIDIA's compiler, of a CUDA toolkit or of pip's nvidia-cuda-nvcc in the Python that the build uses.
if(Python_EXECUTABLE)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import sysconfig; print(sysconfig.get_path('purelib'))"
    OUTPUT_VARIABLE site_packages OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_program(BASCULE_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin ${site_packages}/nvidia/cu13/bin
  PATHS /usr/local/cuda/bin)
mark_as_advanced(BASCULE_NVCC)
