import pytest

pytest.importorskip("starlette", reason="the page needs pip install 'stadtblick[page]'")
