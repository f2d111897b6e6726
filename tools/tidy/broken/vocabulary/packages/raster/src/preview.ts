/** A picture of a scene, painted from its bands. */
export const maxSide = 1
