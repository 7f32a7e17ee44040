/** Boxes have one size, so that the layout needs no second look at the screen. */
export const NODE_SIZE = { width: 190, height: 96 } as const;
export const CROWD_SIZE = { width: 150, height: 48 } as const;
