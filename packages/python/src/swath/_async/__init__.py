"""The asynchronous client. `_sync` is printed from these modules."""
