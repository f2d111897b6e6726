import { useOperation } from '../../../api/use-operation.ts'
import { RasterLayer } from '../../../map/raster-layer.tsx'
import type { LibraryItem } from './library-item.ts'

/** An image is shown this many levels further out than where it fills a tile. */
const outer_levels = 4
const rasterTypes: readonly LibraryItem['type'][] = ['satellite_capture', 'derived_raster', 'clip', 'user_raster']

/** True if the platform renders the item as an image. */
export const isRaster = ({ type }: LibraryItem): boolean => rasterTypes.includes(type)

/** The image of an item on the map, as the platform renders it without a style. */
export function ItemPicture({ item, below }: { item: LibraryItem; below: string }) {
  const { data } = useOperation('items.tile.tilejson', { item_id: item.id }, { enabled: isRaster(item) })
  const [template] = data?.tiles ?? []
  if (!data || template === undefined) return null
  return (
    <RasterLayer
      id="item-picture"
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
