export const nameOf = 1
