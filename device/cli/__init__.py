"""The commands of `bobing` that need no pages: each module reads its arguments' values and prints one kind of answer."""
