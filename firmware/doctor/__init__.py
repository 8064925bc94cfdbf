"""Checks of the appliance's parts, for the command ``doctor`` and for the page."""
