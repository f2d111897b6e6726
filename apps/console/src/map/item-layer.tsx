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

/** The image of an item on the map, as the platform renders it without a style. */
export function ItemLayer({ id, itemId, below }: ItemLayerProps) {
  const { data } = useOperation('items.tile.tilejson', { item_id: itemId })
  const [template] = data?.tiles ?? []
  if (!data || template === undefined) return null
  return (
    <RasterLayer
      id={id}
      // Another origin in the template is that of a proxy; the tiles come from this one.
      tiles={template.replace(/^https?:\/\/[^/]+/, '')}
      bounds={data.bounds as [number, number, number, number]}
      minzoom={Math.max(0, data.minzoom - outer_levels)}
      maxzoom={data.maxzoom}
      opacity={1}
      below={below}
    />
  )
}
