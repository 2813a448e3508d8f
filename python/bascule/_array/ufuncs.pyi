# Written from the op table when the library is built.
from typing import Any

from bascule._array.types import _Binary, _Unary

add: _Binary
"""Add arguments element-wise."""
subtract: _Binary
"""Subtract arguments element-wise."""
multiply: _Binary
"""Multiply arguments element-wise."""
divide: _Binary
"""Divide arguments element-wise."""
true_divide: _Binary
"""Divide arguments element-wise."""
negative: _Unary
"""Numerical negative, element-wise."""
positive: _Unary
"""Numerical positive, element-wise."""
fabs: _Unary
"""Compute the absolute values element-wise."""
reciprocal: _Unary
"""Return the reciprocal of the argument, element-wise."""
square: _Unary
"""Return the element-wise square of the input."""
maximum: _Binary
"""Element-wise maximum of array elements, propagating NaN."""
minimum: _Binary
"""Element-wise minimum of array elements, propagating NaN."""
fmax: _Binary
"""Element-wise maximum of array elements, ignoring NaN."""
fmin: _Binary
"""Element-wise minimum of array elements, ignoring NaN."""
heaviside: _Binary
"""Compute the Heaviside step function."""
gcd: _Binary
"""Return the greatest common divisor of |x1| and |x2|."""
lcm: _Binary
"""Return the lowest common multiple of |x1| and |x2|."""
floor_divide: _Binary
"""Return the largest integer smaller or equal to the division of the inputs."""
remainder: _Binary
"""Returns the element-wise remainder of division."""
mod: _Binary
"""Returns the element-wise remainder of division."""
fmod: _Binary
"""Returns the element-wise remainder of division."""
absolute: _Unary
"""Calculate the absolute value element-wise."""
abs: _Unary
"""Calculate the absolute value element-wise."""
sign: _Unary
"""Returns an element-wise indication of the sign of a number."""
power: _Binary
"""First array elements raised to powers from second array, element-wise."""
pow: _Binary
"""First array elements raised to powers from second array, element-wise."""
float_power: _Binary
"""First array elements raised to powers from second array, in at least float64."""
equal: _Binary
"""Return (x1 == x2) element-wise."""
not_equal: _Binary
"""Return (x1 != x2) element-wise."""
less: _Binary
"""Return the truth value of (x1 < x2) element-wise."""
less_equal: _Binary
"""Return the truth value of (x1 <= x2) element-wise."""
greater: _Binary
"""Return the truth value of (x1 > x2) element-wise."""
greater_equal: _Binary
"""Return the truth value of (x1 >= x2) element-wise."""
logical_and: _Binary
"""Compute the truth value of x1 AND x2 element-wise."""
logical_or: _Binary
"""Compute the truth value of x1 OR x2 element-wise."""
logical_xor: _Binary
"""Compute the truth value of x1 XOR x2 element-wise."""
logical_not: _Unary
"""Compute the truth value of NOT x element-wise."""
bitwise_and: _Binary
"""Compute the bit-wise AND of two arrays element-wise."""
bitwise_or: _Binary
"""Compute the bit-wise OR of two arrays element-wise."""
bitwise_xor: _Binary
"""Compute the bit-wise XOR of two arrays element-wise."""
invert: _Unary
"""Compute bit-wise inversion, or bit-wise NOT, element-wise."""
bitwise_not: _Unary
"""Compute bit-wise inversion, or bit-wise NOT, element-wise."""
bitwise_invert: _Unary
"""Compute bit-wise inversion, or bit-wise NOT, element-wise."""
left_shift: _Binary
"""Shift the bits of an integer to the left."""
bitwise_left_shift: _Binary
"""Shift the bits of an integer to the left."""
right_shift: _Binary
"""Shift the bits of an integer to the right."""
bitwise_right_shift: _Binary
"""Shift the bits of an integer to the right."""
bitwise_count: _Unary
"""Compute the number of 1-bits in the absolute value of x."""
floor: _Unary
"""Return the floor of the input, element-wise."""
ceil: _Unary
"""Return the ceiling of the input, element-wise."""
trunc: _Unary
"""Return the truncated value of the input, element-wise."""
rint: _Unary
"""Round elements of the array to the nearest integer."""
exp: _Unary
"""Calculate the exponential of all elements in the input array."""
exp2: _Unary
"""Calculate 2**p for all p in the input array."""
expm1: _Unary
"""Calculate exp(x) - 1 for all elements in the array."""
log: _Unary
"""Natural logarithm, element-wise."""
log2: _Unary
"""Base-2 logarithm of x."""
log10: _Unary
"""Return the base 10 logarithm of the input array, element-wise."""
log1p: _Unary
"""Return the natural logarithm of one plus the input array, element-wise."""
sqrt: _Unary
"""Return the non-negative square-root of an array, element-wise."""
cbrt: _Unary
"""Return the cube-root of an array, element-wise."""
logaddexp: _Binary
"""Logarithm of the sum of exponentiations of the inputs."""
logaddexp2: _Binary
"""Logarithm of the sum of exponentiations of the inputs in base-2."""
sin: _Unary
"""Trigonometric sine, element-wise."""
cos: _Unary
"""Cosine element-wise."""
tan: _Unary
"""Compute tangent element-wise."""
arcsin: _Unary
"""Inverse sine, element-wise."""
asin: _Unary
"""Inverse sine, element-wise."""
arccos: _Unary
"""Trigonometric inverse cosine, element-wise."""
acos: _Unary
"""Trigonometric inverse cosine, element-wise."""
arctan: _Unary
"""Trigonometric inverse tangent, element-wise."""
atan: _Unary
"""Trigonometric inverse tangent, element-wise."""
arctan2: _Binary
"""Element-wise arc tangent of x1/x2 choosing the quadrant correctly."""
atan2: _Binary
"""Element-wise arc tangent of x1/x2 choosing the quadrant correctly."""
hypot: _Binary
"""Given the legs of a right triangle, return its hypotenuse."""
degrees: _Unary
"""Convert angles from radians to degrees."""
radians: _Unary
"""Convert angles from degrees to radians."""
rad2deg: _Unary
"""Convert angles from radians to degrees."""
deg2rad: _Unary
"""Convert angles from degrees to radians."""
sinh: _Unary
"""Hyperbolic sine, element-wise."""
cosh: _Unary
"""Hyperbolic cosine, element-wise."""
tanh: _Unary
"""Compute hyperbolic tangent element-wise."""
arcsinh: _Unary
"""Inverse hyperbolic sine element-wise."""
asinh: _Unary
"""Inverse hyperbolic sine element-wise."""
arccosh: _Unary
"""Inverse hyperbolic cosine, element-wise."""
acosh: _Unary
"""Inverse hyperbolic cosine, element-wise."""
arctanh: _Unary
"""Inverse hyperbolic tangent element-wise."""
atanh: _Unary
"""Inverse hyperbolic tangent element-wise."""
isnan: _Unary
"""Test element-wise for NaN and return result as a boolean array."""
isinf: _Unary
"""Test element-wise for positive or negative infinity."""
isfinite: _Unary
"""Test element-wise for finiteness (not infinity and not Not a Number)."""
isnat: _Unary
"""Test element-wise for NaT (not a time) and return result as a boolean array."""
signbit: _Unary
"""Returns element-wise True where signbit is set (less than zero)."""
copysign: _Binary
"""Change the sign of x1 to that of x2, element-wise."""
nextafter: _Binary
"""Return the next floating-point value after x1 towards x2, element-wise."""
spacing: _Unary
"""Return the distance between x and the nearest adjacent number."""
conjugate: _Unary
"""Return the complex conjugate, element-wise."""
conj: _Unary
"""Return the complex conjugate, element-wise."""
erf: _Unary
"""Return the error function of the argument."""
erfc: _Unary
"""Return one minus the error function, without cancellation."""

def __getattr__(name: str) -> Any: ...
