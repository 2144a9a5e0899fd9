"""Files on disk: diffs, atomic writes, transactions and the journal behind undo."""
