import { ItemLayer } from '../../../map/item-layer.tsx'
import type { LibraryItem } from './library-item.ts'

const rasterTypes: readonly LibraryItem['type'][] = ['satellite_capture', 'derived_raster', 'clip', 'user_raster']

/** True if the platform renders the item as an image. */
export const isRaster = ({ type }: LibraryItem): boolean => rasterTypes.includes(type)

/** The image of an item on the map; nothing for one without pixels. */
export const ItemPicture = ({ item, below }: { item: LibraryItem; below: string }) =>
  isRaster(item) ? <ItemLayer id="item-picture" itemId={item.id} below={below} /> : null
