"""The TV board, the operator's page, the JSON API and the event stream (Flask)."""
