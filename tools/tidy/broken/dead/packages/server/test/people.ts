export const people = 1
