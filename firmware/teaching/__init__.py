"""The user's editions and how they are taught."""
