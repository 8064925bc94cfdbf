"""Results as text, pictures, files and views of the display; the support bundle."""
