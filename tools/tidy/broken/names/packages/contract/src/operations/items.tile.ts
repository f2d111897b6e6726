export const itemsTilePreviewOperation = operation({ id: 'items.tile.preview' })
