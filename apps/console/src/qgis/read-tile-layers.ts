import type { Client } from '@swath/client/client.ts'
import type { NewTileToken } from '@swath/client/operations.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import type { QgisTileLayer } from './layer-definition.ts'

/** An item that may be shown as tiles. */
export interface QgisItem {
  readonly id: string
  readonly name: string
}

/** How long the tiles of a layer definition can be read: a project is opened again for some weeks. */
export const layer_lifetime_days = 30
const token_lifetime_s = layer_lifetime_days * 86_400

/** Why an item has no picture. Any other problem is one of the whole definition, which would lack layers silently. */
const problemsOfItem = ['unsupported-raster', 'not-found', 'gone-retention']

/** The layers of items, each with a token of its own. Items without a picture are left out; no token is made if one cannot be read. */
export async function readTileLayers(
  client: Pick<Client, 'call'>,
  items: readonly QgisItem[],
): Promise<readonly QgisTileLayer[]> {
  const shown: { item: QgisItem; maxzoom: number }[] = []
  for (const item of items) {
    const tilejson = await client
      .call('items.tile.tilejson', { item_id: item.id, format: 'png' })
      .catch((error: unknown) => {
        if (error instanceof ApiProblem && problemsOfItem.includes(error.problem)) return null
        throw error
      })
    if (tilejson !== null) shown.push({ item, maxzoom: tilejson.maxzoom })
  }
  const layers: QgisTileLayer[] = []
  for (const { item, maxzoom } of shown) {
    const { id, name } = item
    const token = { item_id: id, name: 'QGIS', expires_in_seconds: token_lifetime_s }
    const { urls } = await client.call<NewTileToken>('items.tile.token.create', token)
    layers.push({ id, name, tiles: urls!.tiles, maxzoom })
  }
  return layers
}
