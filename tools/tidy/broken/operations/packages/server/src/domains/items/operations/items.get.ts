export const handler = defineHandler(itemsGetOperation, async () => ({}))
