export const deleteItem = 1
