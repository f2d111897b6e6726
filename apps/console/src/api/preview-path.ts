/** The URL of a small picture of an item. */
export const previewPath = (item_id: string, px: number): string =>
  `/v1/items/tile/preview?item_id=${encodeURIComponent(item_id)}&width=${px}&height=${px}`
