export const listItems = defineHandler(itemsListOperation, async () => ({}))
