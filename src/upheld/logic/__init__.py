"""What follows? Pure, synchronous, deterministic: no clock, chance, network, disk or language model."""
