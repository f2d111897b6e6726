import {
  stapiApiConformance,
  stapiProductConformance,
  stapiVersion,
} from '../../../../packages/server/src/http/representations/stapi/vocabulary.ts'
import { orderParameterProperties } from '../../../../packages/server/src/http/representations/stapi/documents.ts'
import type { JsonSchema } from '../../json-schema.ts'
import { anyObject, anyText, objectWith, textOrNull } from '../described-route.ts'

const id: JsonSchema = { type: 'string', minLength: 1 }
const link: JsonSchema = {
  type: 'object',
  required: ['rel', 'href'],
  properties: { rel: id, href: { type: 'string', format: 'uri' }, type: anyText, method: anyText, body: anyObject },
}
const links: JsonSchema = { type: 'array', items: link }
const version: JsonSchema = { type: 'string', enum: [stapiVersion] }
const word = (value: string): JsonSchema => ({ type: 'string', enum: [value] })
const conformsTo: JsonSchema = { type: 'array', items: anyText, minItems: 1 }

export const landing = objectWith({
  id,
  title: anyText,
  description: anyText,
  stapi_version: version,
  conformsTo,
  links,
})

export const conformance = objectWith({ conformsTo: { type: 'array', items: { type: 'string', enum: [...stapiApiConformance, ...stapiProductConformance] } } }) // prettier-ignore

export const product = objectWith({
  type: word('Collection'),
  stapi_type: word('Product'),
  stapi_version: version,
  conformsTo,
  id,
  title: anyText,
  description: anyText,
  keywords: { type: 'array', items: anyText },
  license: id,
  providers: { type: 'array', items: anyObject },
  links,
})

export const productCollection = objectWith({
  type: word('ProductCollection'),
  products: { type: 'array', items: product },
  links,
})

/** A JSON Schema of an object. */
export const schemaDocument = objectWith({
  $schema: anyText,
  $id: anyText,
  type: word('object'),
  properties: anyObject,
})

const polygonRing: JsonSchema = {
  type: 'array',
  minItems: 4,
  items: { type: 'array', minItems: 2, items: { type: 'number' } },
}
const polygon = objectWith({ type: word('Polygon'), coordinates: { type: 'array', minItems: 1, items: polygonRing } })
const multiPolygon = objectWith({
  type: word('MultiPolygon'),
  coordinates: { type: 'array', minItems: 1, items: { type: 'array', minItems: 1, items: polygonRing } },
})
const geometry: JsonSchema = { anyOf: [polygon, multiPolygon] }
const interval: JsonSchema = { type: 'string', description: 'Two times (RFC 3339), separated by a slash.' }
const bbox: JsonSchema = { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 }

const feature = (name: string, properties: JsonSchema): JsonSchema =>
  objectWith({
    type: word('Feature'),
    stapi_type: word(name),
    stapi_version: version,
    id,
    bbox,
    geometry,
    properties,
    links,
  })

const collection = (name: string, features: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}) =>
  objectWith({
    type: word('FeatureCollection'),
    stapi_type: word(name),
    stapi_version: version,
    features: { type: 'array', items: features },
    ...more,
    links,
  })

export const opportunityCollection = collection(
  'OpportunityCollection',
  feature('Opportunity', objectWith({ datetime: interval, product_id: id, sensor: anyText, coverage: {} })),
)

const status = objectWith({
  timestamp: { type: 'string', format: 'date-time' },
  status_code: id,
  reason_code: textOrNull,
  reason_text: textOrNull,
  links,
})

export const statuses = objectWith({ statuses: { type: 'array', items: status, minItems: 1 }, links })

export const order = feature(
  'Order',
  objectWith({
    product_id: id,
    created: { type: 'string', format: 'date-time' },
    status,
    search_parameters: objectWith({ datetime: interval, geometry, filter: anyObject }, ['datetime', 'geometry']),
    opportunity_properties: anyObject,
    order_parameters: anyObject,
  }),
)

export const orderCollection = collection('OrderCollection', order, { numberMatched: { type: 'integer', minimum: 0 } })

const search = { datetime: interval, geometry, filter: anyObject }
const page = { limit: { type: 'integer', minimum: 1 }, next: { type: 'string', pattern: '^[0-9]{1,9}$' } }
const orderParameters: JsonSchema = {
  type: 'object',
  properties: orderParameterProperties as unknown as Readonly<Record<string, JsonSchema>>,
  additionalProperties: false,
}

const posted = (properties: Readonly<Record<string, JsonSchema>>) => ({
  mediaType: 'application/json',
  isRequired: true,
  schema: { ...objectWith(properties, ['datetime', 'geometry']), additionalProperties: false },
})

export const opportunityRequest = posted({ ...search, ...page })
export const orderRequest = posted({ ...search, order_parameters: orderParameters })
