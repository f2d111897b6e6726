export const findOrder = 1
