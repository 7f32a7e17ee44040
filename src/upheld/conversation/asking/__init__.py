"""What can be asked of a conversation, and how the answers are given as values, trees and pictures."""
