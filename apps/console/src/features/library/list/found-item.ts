import { nameItem } from '../../../api/name-item.ts'
import { readTakenTime } from '../../../api/read-taken-time.ts'
import type { FoundItem } from '../search/library-search.ts'
import { readText } from '../../../api/read-text.ts'

/** A found item as the list shows it. */
export interface ListItem {
  readonly id: string
  readonly title: string
  /** Its place, if that is not the title. */
  readonly name: string
  readonly collection: string | null
  /** Vectors and references have none. */
  readonly hasPicture: boolean
  /** Null if it is unknown when the item was taken. */
  readonly at: string | null
  readonly cloud: number | null
  readonly gsd: number | null
  readonly geometry: GeoJSON.Geometry | null
}

const readNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Reads the fields of the list from a STAC item of the platform. */
export function toListItem({ id, collection, geometry, properties, assets }: FoundItem): ListItem {
  const name = readText(properties['title']) ?? id
  return {
    id: readText(properties['service:item_id']) ?? id,
    title: nameItem(properties) ?? name,
    name,
    collection: collection ?? null,
    hasPicture: Object.values(assets).some((asset) => 'raster:bands' in asset || asset.roles?.includes('thumbnail')),
    at: readTakenTime(properties),
    cloud: readNumber(properties['eo:cloud_cover']),
    gsd: readNumber(properties['gsd']),
    geometry: geometry as GeoJSON.Geometry | null,
  }
}

/** The footprints of items, in the colours of their collections where these are loaded. */
export const toFootprints = (
  items: readonly (Pick<ListItem, 'id' | 'geometry'> & { readonly collection?: string | null })[],
  colours: ReadonlyMap<string, string> = new Map(),
): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: items.flatMap(({ id, geometry, collection }) => {
    const colour = colours.get(collection ?? '')
    return geometry ? [{ type: 'Feature' as const, properties: { id, ...(colour ? { colour } : {}) }, geometry }] : []
  }),
})
