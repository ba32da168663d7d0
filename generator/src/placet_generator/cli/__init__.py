"""The commands that the generator adds to the executable `placet`."""
