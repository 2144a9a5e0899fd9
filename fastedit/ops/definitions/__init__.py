"""Operations on definitions and variables as a whole."""
