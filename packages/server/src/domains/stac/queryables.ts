import { itemTypes } from '@swath/contract/schemas/item.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const time = { type: 'string', format: 'date-time' }
const text = { type: 'string' }
const uuid = { type: 'string', format: 'uuid' }

/** Queryables that every item has. */
const itemQueryables: Readonly<Record<string, JsonSchema>> = {
  id: { ...text, title: 'STAC id' },
  collection: { ...text, title: 'Collection' },
  geometry: { $ref: 'https://geojson.org/schema/Geometry.json', title: 'Footprint' },
  datetime: { ...time, title: 'Time, or start of the interval' },
  start_datetime: time,
  end_datetime: time,
  created: time,
  updated: time,
  title: text,
  description: text,
  'eo:cloud_cover': { type: 'number', minimum: 0, maximum: 100, title: 'Cloud cover in per cent' },
  gsd: { type: 'number', title: 'Ground sample distance in metres' },
  'proj:code': { ...text, title: 'Reference system' },
  'service:source': { ...text, enum: ['ARCHIVE', 'PROCESSING', 'TASKING'] },
  'service:item_id': uuid,
  'up42-order:id': { ...uuid, title: 'Order' },
  'up42-system:asset_id': uuid,
  'up42-system:job_id': { ...uuid, title: 'Job' },
  'up42-system:source': { ...text, enum: ['ARCHIVE', 'TASKING', 'PROCESSING', 'USER'] },
  'up42-system:workspace_id': { ...uuid, title: 'Project' },
  'up42-product:collection_name': { ...text, title: 'Collection of the host' },
  'up42-product:product_id': { ...text, title: 'Data product' },
  'service:item_type': { ...text, enum: [...itemTypes], title: 'Type of the item on this platform' },
}

/** The schemas of item properties, by the types of their values. */
const toStacQueryables = (
  properties: readonly { name: string; types: readonly string[] }[],
): Record<string, JsonSchema> =>
  Object.fromEntries(
    properties.map(({ name, types }) => [name, { type: types.length === 1 ? types[0] : types.toSorted() }]),
  )

/** The queryables of a collection, or of the whole catalog (`collectionName` null), whose URL is the parent. */
export const toQueryablesDocument = (
  parentUrl: string,
  collectionName: string | null,
  properties: readonly { name: string; types: readonly string[] }[],
) => ({
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  $id: `${parentUrl}/queryables`,
  type: 'object' as const,
  title: collectionName === null ? 'Queryables' : `Queryables of ${collectionName}`,
  properties: { ...toStacQueryables(properties), ...itemQueryables },
  additionalProperties: true,
})
