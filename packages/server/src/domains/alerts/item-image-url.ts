import { formatQueryString } from '../tiles/tile-urls.ts'

/** URL of an image of an item with its default style. The request needs a token with read access to the item. */
export const buildItemImageUrl = (base: string, item_id: string, asset_key: string): string =>
  `${base}/v1/op/items.tile.preview${formatQueryString({ item_id, asset_key })}`
