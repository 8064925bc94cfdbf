"""Evening of a club: games of several tables, their standings. See docs/page.md."""
