"""What small networks of this project say of words, on this machine: the relation of a claim to propositions, moves."""
