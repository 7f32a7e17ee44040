import type { Claim } from "../api/types";
import { isAct } from "../model/graph";

/** Boxes have one size, so that the layout needs no second look at the screen. */
export const NODE_SIZE = { width: 178, height: 106 } as const;
export const CROWD_SIZE = { width: 158, height: 50 } as const;
export const ACT_SIZE = { width: 144, height: 44 } as const;
export const JOINT_SIZE = { width: 38, height: 22 } as const;

/** What somebody did without putting a claim forward takes less room than a claim. */
export function sizeOf(claim: Claim): { width: number; height: number } {
  return isAct(claim) ? ACT_SIZE : NODE_SIZE;
}
