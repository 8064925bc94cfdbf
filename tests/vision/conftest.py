from tests.embedded_once import patches_are_embedded_once  # noqa: F401 - for all tests
