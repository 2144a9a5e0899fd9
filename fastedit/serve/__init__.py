"""The apply server: one engine behind HTTP. Each surface is a file; what they share is `service`."""
