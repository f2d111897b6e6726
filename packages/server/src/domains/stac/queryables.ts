import { itemTypes } from '@swath/contract/schemas/item.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const time = { type: 'string', format: 'date-time' }
const text = { type: 'string' }
const uuid = { type: 'string', format: 'uuid' }

/** Queryables that every item has. */
export const itemQueryables: Readonly<Record<string, JsonSchema>> = {
  id: { ...text, title: 'STAC id' },
  collection: { ...uuid, title: 'Collection' },
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
  'service:source': { ...text, enum: ['ARCHIVE', 'PROCESSING', 'TASKING'] },
  'service:item_id': uuid,
  'service:item_type': { ...text, enum: [...itemTypes], title: 'Type of the item on this platform' },
}

/** The schemas of item properties, by the types of their values. */
export const toStacQueryables = (
  properties: readonly { name: string; types: readonly string[] }[],
): Record<string, JsonSchema> =>
  Object.fromEntries(
    properties.map(({ name, types }) => [name, { type: types.length === 1 ? types[0] : types.toSorted() }]),
  )
