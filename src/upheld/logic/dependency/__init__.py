"""What rests on what: justifications, their reverse index, and what follows when one piece is taken away."""
