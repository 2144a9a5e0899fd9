"""Operations that change a definition together with the places that use it."""
