"""Language models as the decoder sees them: rows of tokens in, logits out.

Knows nothing of files, prompts or drafts.
"""

import os

# On Linux torch then asks for pages of 2 MB where a tensor has that much. The logits of 256 rows take 78 MB, which the
# system gives anew in each pass: 19,000 pages of 4 kB cost a quarter of the time of their product.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
