// To serialize many items: select `stacColumns` (store.ts) and pass rows to `rowsToStacItems` (stac-items.ts). Expensive
// work is done when an item is written: `stac_assets` stores the complete member `assets` with URLs relative to the base,
// `stac_extensions` the complete list.
import type { StacAsset, StacItem, StacLink } from '@swath/contract/schemas/stac.ts'
import { isSpdxLicence, spdxLicenceUrl } from './licence.ts'
import { addProjectionCode } from './projection-code.ts'
import { completeStacAssets } from './stac-asset.ts'
import { toCurrentExtensions } from './stac-extensions.ts'
import type { ItemRow, StacItemRow } from '../store.ts'
import { stacCollectionIdOf } from './project-collection.ts'
import { isClientProperty, toClientProperties } from './client-properties.ts'

/** `service:source`: uploaded, produced by a job, or ordered; derived on every read, never stored. */
export function deriveItemServiceSource(
  item: Pick<ItemRow, 'upload_id' | 'job_id'>,
): 'ARCHIVE' | 'PROCESSING' | 'TASKING' {
  if (item.upload_id !== null) return 'ARCHIVE'
  return item.job_id !== null ? 'PROCESSING' : 'TASKING'
}

/** Properties derived from the row; input properties with these names are dropped. */
export const derivedProperties: ReadonlySet<string> = new Set([
  'service:source',
  'service:item_id',
  'service:time_unknown',
  'order_id',
  'upload_id',
  'job_id',
])

/** Properties that callers may not set: derived ones, and those that a delivery writes about scene and licence. */
export const isReservedProperty = (name: string): boolean =>
  derivedProperties.has(name) || name.startsWith('service:') || isClientProperty(name)

/** The properties written by the platform, which an update by a caller does not change. */
export const pickReservedProperties = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => isReservedProperty(name)))

/** No image is older than this, so an item whose time is unknown was taken between this and its storing. */
const earliestImage = '1850-01-01T00:00:00.000Z'

/**
 * Converts a row to a STAC 1.0.0 Item, with URLs based on `base`. The row belongs to the caller: its `stac_assets` become part of
 * the result.
 */
export function rowToStacItem(
  item: StacItemRow & { readonly stac_assets: Record<string, StacAsset> },
  organization: string,
  base: string,
): StacItem {
  const source = item.stac_source ?? {}
  const geometry = source.geometry ?? item.geometry
  const bbox = source.bbox ?? item.bbox
  const properties = { ...toStacProperties(item), ...toClientProperties(organization, item) }
  addProjectionCode(properties)
  return {
    ...source.members,
    type: 'Feature',
    stac_version: '1.0.0',
    stac_extensions: toCurrentExtensions(item.stac_extensions),
    id: item.stac_id,
    collection: stacCollectionIdOf(item),
    geometry,
    ...(geometry === null || bbox === null ? {} : { bbox: [...bbox] }),
    properties,
    assets: completeStacAssets(item.stac_assets, base),
    links: createItemLinks(item, base),
  }
}

type StacPropertiesSource = Pick<
  ItemRow,
  | 'id'
  | 'name'
  | 'description'
  | 'properties'
  | 'datetime'
  | 'start_datetime'
  | 'end_datetime'
  | 'cloud_cover'
  | 'gsd'
  | 'upload_id'
  | 'job_id'
  | 'created_at'
  | 'updated_at'
  | 'stac_source'
>

/** The properties of the Feature: those stored with the item, overridden by those from columns. */
export function toStacProperties(item: StacPropertiesSource): Record<string, unknown> {
  return {
    ...item.properties,
    ...toLicenseProperty(item),
    title: item.name,
    ...(item.description === null ? {} : { description: item.description }),
    ...toTimeProperties(item),
    created: item.stac_source?.created ?? item.created_at.toISOString(),
    updated: item.stac_source?.updated ?? item.updated_at.toISOString(),
    ...(item.cloud_cover === null ? {} : { 'eo:cloud_cover': item.cloud_cover }),
    ...(item.gsd === null || item.gsd <= 0 ? {} : { gsd: item.gsd }),
    'service:source': deriveItemServiceSource(item),
    'service:item_id': item.id,
  }
}

const utcPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,}Z$/

/** True for a UTC text with a fraction of seconds that denotes the instant. */
export const isSameInstant = (text: unknown, instant: Date | null): text is string =>
  typeof text === 'string' && utcPattern.test(text) && instant !== null && Date.parse(text) === instant.getTime()

/** The time with the precision of its source, while it is unchanged. */
const formatInstant = (text: unknown, instant: Date | null): string | null =>
  isSameInstant(text, instant) ? text : (instant?.toISOString() ?? null)

/**
 * The times of an item. STAC requires one, or an interval: where none is known, the interval has the bounds that are known of every
 * image, and a property says so.
 */
function toTimeProperties(item: StacPropertiesSource): Record<string, unknown> {
  const { datetime, start_datetime, end_datetime, properties, stac_source } = item
  if (isTimeUnknown(item))
    return {
      datetime: null,
      start_datetime: earliestImage,
      end_datetime: item.created_at.toISOString(),
      'service:time_unknown': true,
    }
  return {
    datetime: formatInstant(stac_source?.datetime ?? properties['datetime'], datetime),
    ...(start_datetime !== null && end_datetime !== null
      ? {
          start_datetime: formatInstant(stac_source?.start_datetime, start_datetime),
          end_datetime: formatInstant(stac_source?.end_datetime, end_datetime),
        }
      : {}),
  }
}

/** True for an item of which nobody said when it was taken. */
export const isTimeUnknown = (item: Partial<Pick<ItemRow, 'datetime' | 'start_datetime'>>): boolean =>
  !item.datetime && !item.start_datetime

/** The licence, restricted to the characters that STAC allows. */
function toLicenseProperty(item: Pick<ItemRow, 'properties'>): { license?: string } {
  const { license } = item.properties
  return typeof license === 'string' ? { license: license.trim().replaceAll(/[^\w.+-]+/g, '-') || 'proprietary' } : {}
}

function createItemLinks(item: ItemRow, base: string): StacLink[] {
  const catalog = `${base}/assets/stac`
  const collection = `${catalog}/collections/${stacCollectionIdOf(item)}`
  const { license = '' } = toLicenseProperty(item)
  return [
    { rel: 'self', href: `${collection}/items/${encodeURIComponent(item.stac_id)}`, type: 'application/geo+json' },
    { rel: 'root', href: catalog, type: 'application/json' },
    ...['parent', 'collection'].map((rel) => ({ rel, href: collection, type: 'application/json' })),
    ...item.links,
    ...(isSpdxLicence(license) && !item.links.some((link) => link.rel === 'license')
      ? [{ rel: 'license', href: spdxLicenceUrl(license), type: 'text/html' }]
      : []),
    ...(item.order_id === null
      ? []
      : [{ rel: 'via', href: `${base}/v1/orders/get?order_id=${item.order_id}`, type: 'application/json' }]),
  ]
}
