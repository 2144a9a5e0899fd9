"""What the releases of vLLM and SGLang make of our settings, heads and drafter; needs them installed."""
