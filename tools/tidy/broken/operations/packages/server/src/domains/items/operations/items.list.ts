export const listItems = 1
