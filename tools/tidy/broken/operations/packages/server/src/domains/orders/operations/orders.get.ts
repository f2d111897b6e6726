export const handler = defineHandler(
  ordersGetOperation,
  async () => ({}),
)
