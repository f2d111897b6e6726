export const tag = 256
