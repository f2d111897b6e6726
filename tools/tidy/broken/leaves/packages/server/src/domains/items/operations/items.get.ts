export const getItem = 1
