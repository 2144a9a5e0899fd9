"""The APIs and pages that the server has, one file each, with their bodies."""
