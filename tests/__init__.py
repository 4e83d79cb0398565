"""Tests; what they share shows both sides of a failed assertion, too."""

import pytest

pytest.register_assert_rewrite("tests.support")
