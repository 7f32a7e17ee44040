"""What every suite shares: items, arms, outcomes, the runner and its journal."""
