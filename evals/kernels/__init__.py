"""Every kernel against its floor, its reference and others."""
