"""The array and ufunc objects as Python sees them: conversion, methods, printing, pickling, floating-point errors."""
