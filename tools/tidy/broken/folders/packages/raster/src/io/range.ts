export const length = 1
