"""The server on many machines: fronts that are the whole app, replicas that hold the model, Ray between them."""
