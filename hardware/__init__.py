"""What is screwed on: one small interface each, a real driver and a stand-in beside it."""
