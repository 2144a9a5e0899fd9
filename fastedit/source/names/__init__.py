"""Where a name stands in a text and which binding each place means, by the language's scopes."""
