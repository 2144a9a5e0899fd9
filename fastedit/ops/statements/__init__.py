"""Operations on statements, conditions, comments and other code in functions."""
