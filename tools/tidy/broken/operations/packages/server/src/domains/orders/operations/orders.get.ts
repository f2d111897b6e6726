export const getOrder = 1
