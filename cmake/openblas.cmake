# Where OpenBLAS lies in the Python that is in use (the package scipy-openblas32), for programs and tests in C++. A wheel
# does not keep it: bascule's Python side names the file.
if(NOT SKBUILD OR BASCULE_TESTS)
  find_package(Python 3.11 QUIET COMPONENTS Interpreter)
  if(Python_EXECUTABLE)
    execute_process(OUTPUT_VARIABLE openblas OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET COMMAND ${Python_EXECUTABLE} -c
      "import importlib.util as u, os; print(os.path.join(os.path.dirname(u.find_spec('scipy_openblas32').origin), 'lib', 'libscipy_openblas.so'))")
  endif()
  if(openblas AND EXISTS "${openblas}")
    set_property(SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/src/core/blas_library.cpp APPEND PROPERTY
      COMPILE_DEFINITIONS BASCULE_OPENBLAS_BUILT_WITH="${openblas}")
  else()
    message(STATUS "OpenBLAS is not in this Python (pip install scipy-openblas32): C++ programs look for libopenblas.so.0")
  endif()
endif()
