import {
  startTestServer,
  type PlannedResponse,
  type RecordedRequest,
  type Responder,
  type TestServer,
} from './stac-server.ts'

type Json = Record<string, unknown>

/** The responses of a provider; unplanned ones are as those of `stapi-fastapi`. */
export interface ProviderPlan {
  readonly landing?: Responder
  /** The products by id; by default `optical`. */
  readonly products?: Readonly<Record<string, Json>>
  /** The conformance classes of products, in a document of its own. */
  readonly conformance?: readonly string[]
  /** Names of the order parameters. */
  readonly orderParameters?: readonly string[]
  readonly opportunities?: Responder
  /** Orders from before. */
  readonly orders?: readonly Json[]
  readonly orderList?: Responder
  /** The reply to a new order instead of the order, which is stored all the same. */
  readonly createdResponse?: Responder
  /** New orders are not stored. */
  readonly keepsNothing?: boolean
  /** Times of orders lose their fractions of seconds. */
  readonly isRounding?: boolean
  readonly files?: Readonly<Record<string, Uint8Array>>
  /** Every other path. */
  readonly other?: Responder
  readonly everything?: Responder
  /** More of the plan, which needs the URL of the server. */
  readonly planOf?: (url: string) => ProviderPlan
}

export const landing = (url: string) => ({
  id: 'STAPI API',
  conformsTo: ['https://stapi.example.com/v0.1.0/core', 'https://stapi.example.com/v0.1.0/order-statuses'],
  links: [
    { rel: 'self', href: `${url}/` },
    { rel: 'products', href: `${url}/products`, type: 'application/json' },
    { rel: 'orders', href: `${url}/orders`, type: 'application/geo+json' },
  ],
})

export const product = (id: string, changes: Json = {}): Json => ({
  type: 'Collection',
  stapi_type: 'Product',
  stapi_version: '0.1.0',
  conformsTo: ['https://geojson.org/schema/Polygon.json'],
  id,
  title: 'Optical',
  description: 'Images on order.',
  license: 'proprietary',
  providers: [],
  links: [],
  ...changes,
})

/** A pass over a square at 10° east, with a part of it beyond. */
export const opportunity = (datetime: string, properties: Json = {}): Json => ({
  type: 'Feature',
  id: null,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [9, 49],
        [12, 49],
        [12, 52],
        [9, 52],
        [9, 49],
      ],
    ],
  },
  properties: { datetime, product_id: 'optical', platform: 'sky-1', ...properties },
  links: [],
})

export const orderOf = (id: string, status: Json, request: Json = {}): Json => ({
  type: 'Feature',
  stapi_type: 'Order',
  stapi_version: '0.1.0',
  id,
  geometry: opportunity('').geometry,
  properties: {
    product_id: 'optical',
    created: '2026-02-28T00:00:00Z',
    status: { timestamp: '2026-02-28T00:00:00Z', links: [], ...status },
    search_parameters: {},
    opportunity_properties: {},
    order_parameters: {},
    ...request,
  },
  links: [],
})

/** A STAPI provider on a free port of this machine. */
export async function startProvider(plan: ProviderPlan): Promise<TestServer> {
  const kept: Json[] = []
  return startTestServer((request, url) => {
    const whole = { ...plan, ...plan.planOf?.(url) }
    return whole.everything?.(request, url) ?? respond(request, { url, plan: whole, kept })
  })
}

interface RespondContext {
  readonly url: string
  readonly plan: ProviderPlan
  readonly kept: Json[]
}

function respond(request: RecordedRequest, { url, plan, kept }: RespondContext): PlannedResponse | 'hang' {
  const { path, method } = request
  const products = plan.products ?? { optical: product('optical') }
  const [, id = '', part] = /^\/products\/([^/]+)(?:\/(.+))?$/.exec(path) ?? []
  if (path === '/') return plan.landing?.(request, url) ?? { body: landing(url) }
  if (path === '/orders')
    return plan.orderList?.(request, url) ?? listOrders(request, url, [...(plan.orders ?? []), ...kept])
  if (id !== '') return respondProduct(request, { url, plan, kept }, { found: products[id], part })
  const order = [...(plan.orders ?? []), ...kept].find((each) => method === 'GET' && path === `/orders/${each['id']}`)
  if (order) return { body: order }
  const file = plan.files?.[path]
  return file ? { body: file } : (plan.other?.(request, url) ?? notFound)
}

const notFound: PlannedResponse = { status: 404, body: { detail: 'Not Found' } }
const schemaOf = (names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})

function respondProduct(
  request: RecordedRequest,
  { url, plan, kept }: RespondContext,
  { found, part }: { readonly found: Json | undefined; readonly part: string | undefined },
): PlannedResponse | 'hang' {
  if (!found) return notFound
  if (part === undefined) return { body: found }
  if (part === 'conformance')
    return { body: { conformsTo: plan.conformance ?? ['https://stapi.example.com/v0.1.0/opportunities'] } }
  if (part === 'queryables') return { body: schemaOf(['eo:cloud_cover', 'view:off_nadir']) }
  if (part === 'order-parameters') return { body: schemaOf(plan.orderParameters ?? ['delivery']) }
  if (part === 'opportunities') return plan.opportunities?.(request, url) ?? { body: { features: [] } }
  const order = toOrder(`o${kept.length + 1}`, request.body ?? {}, plan)
  if (!plan.keepsNothing) kept.push(order)
  return (
    plan.createdResponse?.(request, url) ?? {
      status: 201,
      headers: { location: `${url}/orders/${order['id']}` },
      body: order,
    }
  )
}

/** Two orders a page. */
function listOrders({ query }: RecordedRequest, url: string, orders: readonly Json[]): PlannedResponse {
  const begin = Number(query.get('next') ?? 0)
  const links = begin + 2 < orders.length ? [{ rel: 'next', href: `${url}/orders?next=${begin + 2}` }] : []
  return { body: { type: 'FeatureCollection', features: orders.slice(begin, begin + 2), links } }
}

function toOrder(id: string, body: Json, { isRounding = false }: ProviderPlan): Json {
  const { order_parameters, search_parameters, ...flat } = body
  const stated = (search_parameters ?? flat) as Json
  const parameters = isRounding
    ? { ...stated, datetime: String(stated['datetime']).replaceAll(/\.\d+Z/g, 'Z') }
    : stated
  const request = search_parameters
    ? { order_request: { search_parameters: parameters, order_parameters }, search_parameters: undefined }
    : { search_parameters: parameters, order_parameters }
  return orderOf(id, { status_code: 'received' }, request)
}
