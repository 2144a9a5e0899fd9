"""Examples to train on: changes with the instruction or the update that asks for them."""
