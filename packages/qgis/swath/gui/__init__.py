"""The panel and its dialogs."""
