"""What can stand together: frameworks of attack and support, their labellings and extensions."""
