"""Tests; what they share shows both sides of a failed assertion, too."""

import sys

if "pytest" in sys.modules:  # jobs also run in environments that have none
    import pytest

    pytest.register_assert_rewrite("tests.support")
