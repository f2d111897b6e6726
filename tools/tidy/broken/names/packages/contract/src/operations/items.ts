export const itemsGet = operation({
  id: 'items.get',
})

export const itemsTileRenderOperation = operation({
  id: 'items.tile.render',
})

export const itemsFetchOperation = operation({ id: 'items.batch_get' })
