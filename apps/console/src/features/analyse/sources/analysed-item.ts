import { nameItem } from '../../../api/name-item.ts'
import { readTakenTime } from '../../../api/read-taken-time.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { readText } from '../../../api/read-text.ts'

/** An item that is read, as this place shows it. */
export interface AnalysedItem {
  readonly id: string
  readonly title: string
  readonly project_id: string | null
  readonly at: string | null
  readonly geometry: GeoJSON.Geometry | null
}

type Item = OutputOf<'items.get'>['item']
type FoundItem = OutputOf<'stac.search'>['features'][number]

export const toAnalysedItem = ({ id, name, properties, project_id, datetime, geometry }: Item): AnalysedItem => ({
  id,
  title: nameItem({ ...properties, title: name }) ?? name,
  project_id,
  at: datetime,
  geometry: geometry as GeoJSON.Geometry | null,
})

/** An item of a search; null for one without pixels. */
export function toFoundSource({ id, properties, geometry, assets }: FoundItem): AnalysedItem | null {
  if (!Object.values(assets).some((asset) => 'raster:bands' in asset)) return null
  return {
    id: readText(properties['service:item_id']) ?? id,
    title: nameItem(properties) ?? id,
    project_id: null,
    at: readTakenTime(properties),
    geometry: geometry as GeoJSON.Geometry | null,
  }
}

export const toFootprints = (items: readonly AnalysedItem[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: items.flatMap(({ id, geometry }) =>
    geometry ? [{ type: 'Feature' as const, properties: { id }, geometry }] : [],
  ),
})
