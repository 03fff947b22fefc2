"""Bytes ↔ box events: the button box on the table."""
