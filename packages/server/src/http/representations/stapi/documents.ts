import { listServiceDescriptions } from '../../../engine/service-descriptions.ts'
import type { TaskingProductDescription, TaskingSensor } from '@swath/contract/schemas/tasking.ts'
import {
  stapiApiConformance,
  stapiGeojsonMediaType,
  stapiJsonMediaType,
  stapiProductConformance,
  stapiVersion,
  createStapiLink,
  stapiQueryables,
  type StapiUrls,
} from './vocabulary.ts'

/** The landing page. */
export const toStapiLanding = (urls: StapiUrls) => ({
  id: 'swath',
  title: 'Swath',
  description: 'New imagery on order from every tasking host here, paid with one wallet.',
  stapi_version: stapiVersion,
  conformsTo: stapiApiConformance,
  links: [
    createStapiLink('self', urls.root),
    createStapiLink('conformance', urls.conformance),
    createStapiLink('products', urls.products),
    createStapiLink('orders', urls.orders, stapiGeojsonMediaType),
    ...listServiceDescriptions(urls.base, 'stapi').map(({ href, type }) => createStapiLink('service-desc', href, type)),
    createStapiLink('service-doc', `${urls.base}/docs`, 'text/html'),
  ],
})

export const toStapiConformance = (conformsTo: readonly string[]) => ({ conformsTo })

/** A product and the sensors that acquire it. */
export interface OfferedTaskingProduct {
  readonly product: TaskingProductDescription
  readonly sensors: readonly TaskingSensor[]
}

/** The products of all sensors, each once, in the order of the sensors. */
export function listOfferedProducts(sensors: readonly TaskingSensor[]): readonly OfferedTaskingProduct[] {
  const offers = sensors.flatMap((sensor) => sensor.products.map((product) => ({ product, sensor })))
  return [...Map.groupBy(offers, ({ product }) => product.id).values()].map((group) => ({
    product: group[0]!.product,
    sensors: group.map(({ sensor }) => sensor),
  }))
}

/** A Product with its price, which STAPI has no field for. */
export function toStapiProduct({ product, sensors }: OfferedTaskingProduct, urls: StapiUrls) {
  const url = urls.product(product.id)
  const { rate_credits, minimum_km2, min_area_km2, max_area_km2, max_window_days } = product
  return {
    type: 'Collection',
    stapi_type: 'Product',
    stapi_version: stapiVersion,
    conformsTo: stapiProductConformance,
    id: product.id,
    title: product.title,
    description: product.description,
    keywords: [...new Set(sensors.flatMap(({ title, provider }) => [title, provider]))],
    license: 'proprietary',
    providers: [],
    'service:name': product.name,
    'service:price': { unit: 'km2', rate_credits, minimum_km2 },
    'service:workflow': product.workflow,
    'service:cancel_policy': product.cancel_policy,
    'service:limits': { min_area_km2, max_area_km2, max_window_days },
    links: [
      createStapiLink('self', url),
      createStapiLink('conformance', `${url}/conformance`),
      createStapiLink('queryables', `${url}/queryables`),
      createStapiLink('order-parameters', `${url}/order-parameters`),
      { ...createStapiLink('opportunities', `${url}/opportunities`), method: 'POST' as const },
      { rel: 'create-order', href: `${url}/orders`, type: stapiJsonMediaType, method: 'POST' as const },
    ],
  }
}

const draft07 = 'http://json-schema.org/draft-07/schema#'

/** The queryables of a product, as a JSON Schema. */
export const toStapiQueryables = ({ product, sensors }: OfferedTaskingProduct, urls: StapiUrls) => ({
  $schema: draft07,
  $id: `${urls.product(product.id)}/queryables`,
  title: `Queryables of ${product.title}`,
  type: 'object',
  properties: {
    ...Object.fromEntries(Object.entries(stapiQueryables).map(([name, { schema }]) => [name, schema])),
    sensor: { title: 'Sensor', description: 'Only this sensor.', type: 'string', enum: sensors.map(({ id }) => id) },
  },
  additionalProperties: false,
})

const Text = { type: 'string', minLength: 1, maxLength: 200 } as const

/** The order parameters beyond the search parameters, as a JSON Schema; each has a default. */
export const orderParameterProperties = {
  opportunityId: {
    ...Text,
    maxLength: 500,
    title: 'Opportunity',
    description: 'A pass, by the id of its Opportunity.',
  },
  workspaceId: {
    type: 'string',
    format: 'uuid',
    title: 'Project',
    description: 'The project of the delivery; by default your oldest one.',
  },
  displayName: { ...Text, title: 'Name', description: 'The name of the order.' },
  tags: { type: 'array', items: Text, maxItems: 100, title: 'Tags', description: 'Tags to find the order by.' },
  max_credits: {
    type: 'integer',
    minimum: 0,
    title: 'Limit of the price',
    description: 'The order is refused if it would cost more credits.',
  },
  replan: {
    type: 'boolean',
    default: false,
    title: 'Try again',
    description: 'Try the next pass after a collection that does not satisfy the filter, at the same price.',
  },
} as const

export const toStapiOrderParameters = ({ product }: OfferedTaskingProduct, urls: StapiUrls) => ({
  $schema: draft07,
  $id: `${urls.product(product.id)}/order-parameters`,
  title: `Order parameters of ${product.title}`,
  type: 'object',
  properties: orderParameterProperties,
  additionalProperties: false,
})
