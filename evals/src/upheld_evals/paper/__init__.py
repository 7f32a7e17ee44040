"""The tables and figures of the paper, measured again; what the paper printed stands beside, as the paper's."""
