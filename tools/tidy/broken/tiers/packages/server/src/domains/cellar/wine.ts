export const wine = 1
