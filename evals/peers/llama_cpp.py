"""llama.cpp through `llama-cpp-python`, on the same weights converted to GGUF: plain, and with prompt lookup."""

from __future__ import annotations

from evals.peers.base import Bench, Peer
from evals.peers.gguf_file import write_gguf
from evals.ways import Decode
from fastedit.prompt.base import Prompt

CONTEXT = 8192
LOOKUP_TOKENS, LOOKUP_NGRAM = 10, 2  # its published setting


def _peer(name: str, *, lookup: bool, threads: int | None) -> Peer:
    def decoder(bench: Bench) -> Decode:
        from llama_cpp import Llama
        from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

        file = bench.scratch / "model.gguf"
        if not file.exists():
            write_gguf(bench.folder, file)
        used = threads or bench.threads
        model = Llama(
            model_path=str(file),
            n_ctx=CONTEXT,
            n_threads=used,
            n_threads_batch=used,
            verbose=False,
            logits_all=lookup,  # else its buffer of logits ends within a draft
            draft_model=LlamaPromptLookupDecoding(LOOKUP_NGRAM, LOOKUP_TOKENS) if lookup else None,
        )

        def run(prompt: Prompt) -> list[int]:
            model.reset()
            tokens: list[int] = []
            for token in model.generate(list(prompt.ids), temp=0.0, top_k=1):
                if token in prompt.stop or len(tokens) >= prompt.answer_limit:
                    break
                tokens.append(token)
            return tokens

        return run

    return Peer(name, "llama_cpp", decoder)


PEERS = (
    _peer("llama.cpp", lookup=False, threads=None),
    _peer("llama.cpp, prompt lookup", lookup=True, threads=None),
    _peer("llama.cpp, 1 thread", lookup=False, threads=1),
    _peer("llama.cpp, prompt lookup, 1 thread", lookup=True, threads=1),
)
