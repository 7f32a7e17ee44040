"""Writers of the forms of other programs: what their interfaces take, and the traces that they leave."""
