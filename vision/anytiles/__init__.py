"""The eye that reads square tiles of any look."""
