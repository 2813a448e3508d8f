"""Functions of scalars, traced into fused passes."""
