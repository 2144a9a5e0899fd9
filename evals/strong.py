"""`python -m evals.strong`: what becomes of a strong model's answers, see `evals.outside.strong`."""

from evals.outside.strong import app

if __name__ == "__main__":
    app()
