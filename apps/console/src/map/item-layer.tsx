import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../api/use-operation.ts'
import { RasterLayer } from './raster-layer.tsx'

/** An image is shown this many levels further out than where it fills a tile. */
const outer_levels = 4

interface ItemLayerProps {
  readonly id: string
  /** An item with pixels. */
  readonly itemId: string
  /** The layer that it is drawn below. */
  readonly below: string
}

/** The tile URL of an item from its TileJSON; null if it has none. */
export function toTileSource({ tiles: [template], bounds, minzoom, maxzoom }: OutputOf<'items.tile.tilejson'>) {
  if (template === undefined) return null
  return {
    // Another origin in the template is that of a proxy; the tiles come from this one.
    tiles: template.replace(/^https?:\/\/[^/]+/, ''),
    bounds: bounds as [number, number, number, number],
    minzoom: Math.max(0, minzoom - outer_levels),
    maxzoom,
  }
}

/** The image of an item on the map, as the platform renders it without a style. */
export function ItemLayer({ id, itemId, below }: ItemLayerProps) {
  const { data } = useOperation('items.tile.tilejson', { item_id: itemId })
  const source = data && toTileSource(data)
  return source ? <RasterLayer id={id} {...source} opacity={1} below={below} /> : null
}
