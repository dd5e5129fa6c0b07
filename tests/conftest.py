"""Settings of the whole test run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from skatai._jit import JIT_ENABLED

# The same examples in every run: a red test must not depend on luck. Kernels as plain Python are some hundred times slower.
settings.register_profile(
    "skatai",
    deadline=None,
    derandomize=True,
    max_examples=100 if JIT_ENABLED else 15,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("skatai")
