from tests.computed_once import pixels_are_understood_once  # noqa: F401 - for all tests
