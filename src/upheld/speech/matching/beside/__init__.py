"""What stands beside a matcher, whichever it is: named rules that may object, and a cheaper matcher before it."""
