import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Order, OrderTimeline, PlacedOrder } from '@swath/contract/schemas/order.ts'
import type { TaskingOpportunity, TaskingSensor } from '@swath/contract/schemas/tasking.ts'
import type { CallResult } from '../../engine/pipeline/call-result.ts'
import { Problem } from '../../engine/problem.ts'
import { isUuid } from '../../platform/ids.ts'
import { dispatchHttpCall, readJsonBody, type HttpRouteContext, type ReadCallBody } from '../http-call.ts'
import {
  listOfferedProducts,
  toStapiConformance,
  toStapiOrderParameters,
  toStapiQueryables,
  toStapiLanding,
  toStapiProduct,
  type OfferedTaskingProduct,
} from '../representations/stapi/documents.ts'
import { toStapiOpportunityCollection } from '../representations/stapi/opportunities.ts'
import {
  listStapiStatuses,
  toStapiOrderCollection,
  toPlacedStapiOrder,
  toStapiOrder,
} from '../representations/stapi/orders.ts'
import {
  stapiApiConformance,
  stapiGeojsonMediaType,
  stapiJsonMediaType,
  stapiProductConformance,
  createStapiLink,
  buildStapiUrls,
  type StapiLinkObject,
  type StapiUrls,
} from '../representations/stapi/vocabulary.ts'
import { getResultJsonValue } from '../representations/representation.ts'
import { resolveBaseUrl } from '../server.ts'
import { throwStoredProblem } from '../stored-problem.ts'
import {
  parseStapiPageParameters,
  readStapiRequest,
  toOpportunitiesInput,
  toTaskingOrderInput,
  type StapiRequest,
} from '../stapi-request.ts'

const max_page = 100
/** Orders have areas, which may be large. */
const max_orders = 50

/** One request to the interface. */
class StapiCall {
  readonly urls: StapiUrls
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string>>
  private readonly http: HttpRouteContext
  private readonly request: FastifyRequest
  private readonly reply: FastifyReply

  constructor(http: HttpRouteContext, request: FastifyRequest, reply: FastifyReply) {
    this.http = http
    this.request = request
    this.reply = reply
    this.urls = buildStapiUrls(resolveBaseUrl(request, http.baseUrl))
    this.query = request.query as Readonly<Record<string, unknown>>
    this.params = request.params as Readonly<Record<string, string>>
  }

  /** Runs an operation through the pipeline. */
  run(operation: string, readBody: ReadCallBody): Promise<CallResult> {
    return dispatchHttpCall(this.http, { request: this.request, reply: this.reply, operation, readBody })
  }

  /** The output of a read. */
  async read<T>(operation: string, readInput: () => object): Promise<T> {
    return getResultJsonValue(await this.run(operation, async () => readInput())) as T
  }

  readBody: ReadCallBody = (operation) => readJsonBody(this.http, operation, this.request)
}

type Handle = (call: StapiCall, reply: FastifyReply) => Promise<FastifyReply>

const send = (reply: FastifyReply, body: unknown, type: string = stapiJsonMediaType): FastifyReply =>
  reply.type(`${type}; charset=utf-8`).send(JSON.stringify(body))

/** A page of a list that was read as a whole, and the token of the next one. */
function slicePage<T>(rows: readonly T[], { limit, begin }: ReturnType<typeof parseStapiPageParameters>) {
  const end = begin + limit
  return { page: rows.slice(begin, end), next: end < rows.length ? String(end) : null }
}

const nextLink = (
  url: string,
  { limit, next }: { readonly limit: number; readonly next: string | null },
  type = stapiJsonMediaType,
) => (next === null ? [] : [createStapiLink('next', `${url}?next=${next}&limit=${limit}`, type)])

async function readProducts(call: StapiCall): Promise<readonly OfferedTaskingProduct[]> {
  const { sensors } = await call.read<{ readonly sensors: readonly TaskingSensor[] }>(
    'orders.tasking.sensors',
    () => ({}),
  )
  return listOfferedProducts(sensors)
}

async function requireProduct(call: StapiCall): Promise<OfferedTaskingProduct> {
  const id = call.params['product_id'] ?? ''
  const offered = (await readProducts(call)).find(
    ({ product }) => product.id === id.toLowerCase() || product.name === id,
  )
  if (!offered) throw new Problem('not-found', `There is no product with the id "${id}".`)
  return offered
}

const listProducts: Handle = async (call, reply) => {
  const products = await readProducts(call)
  const paging = parseStapiPageParameters({ limit: call.query['limit'], next: call.query['next'] }, max_page)
  const { page, next } = slicePage(products, paging)
  const { urls } = call
  return send(reply, {
    type: 'ProductCollection',
    products: page.map((offered) => toStapiProduct(offered, urls)),
    links: [createStapiLink('self', urls.products), ...nextLink(urls.products, { ...paging, next })],
  })
}

/** A document about one product. */
const productDocument =
  (toDocument: (offered: OfferedTaskingProduct, urls: StapiUrls) => object, type?: string): Handle =>
  async (call, reply) =>
    send(reply, toDocument(await requireProduct(call), call.urls), type)

const searchOpportunities: Handle = async (call, reply) => {
  const product = call.params['product_id'] ?? ''
  const stated = Promise.withResolvers<StapiRequest>()
  const result = await call.run('orders.tasking.opportunities_list', async (operation) => {
    const request = readStapiRequest(await call.readBody(operation))
    parseStapiPageParameters(request, max_page)
    stated.resolve(request)
    return toOpportunitiesInput(product, request)
  })
  const { opportunities } = getResultJsonValue(result) as { readonly opportunities: readonly TaskingOpportunity[] }
  const request = await stated.promise
  const paging = parseStapiPageParameters(request, max_page)
  const { page, next } = slicePage(opportunities, paging)
  const url = `${call.urls.product(product)}/opportunities`
  const body = { ...request.search, limit: paging.limit, next }
  const links: StapiLinkObject[] =
    next === null ? [] : [{ rel: 'next', href: url, type: stapiJsonMediaType, method: 'POST', body }]
  const context = { product: page[0]?.dataProduct ?? product, search: request.search, urls: call.urls }
  return send(reply, toStapiOpportunityCollection(page, context, links), stapiGeojsonMediaType)
}

const createOrder: Handle = async (call, reply) => {
  const product = call.params['product_id'] ?? ''
  const stated = Promise.withResolvers<StapiRequest>()
  const result = await call.run('orders.tasking.place', async (operation) => {
    const request = readStapiRequest(await call.readBody(operation))
    stated.resolve(request)
    return toTaskingOrderInput(product, request)
  })
  throwStoredProblem(reply, result)
  const placed = getResultJsonValue(result) as PlacedOrder
  const { urls } = call
  // The order exists: whatever prevents reading it, such as a token that may only order, is not an error of this request.
  const order = await readTaskingOrder(call, placed.id).then(
    (read) => toStapiOrder(read, urls),
    async (error: unknown) => {
      if (!(error instanceof Problem)) throw error
      return toPlacedStapiOrder(placed, { product, search: (await stated.promise).search, urls })
    },
  )
  reply.code(201).header('location', urls.order(placed.id))
  return send(reply, order, stapiGeojsonMediaType)
}

async function readTaskingOrder(call: StapiCall, id: string): Promise<Order> {
  const missing = new Problem('not-found', `There is no order with the id "${id}".`)
  const order = await call.read<Order>('orders.get', () => {
    if (!isUuid(id)) throw missing
    return { order_id: id }
  })
  if (order.orderType !== 'tasking') throw missing
  return order
}

interface OrderPage {
  readonly content: readonly Order[]
  readonly totalElements: number
  readonly last: boolean
}

/** Oldest first, so that pages stay the same while orders are added. The token is the number of the page. */
const listOrders: Handle = async (call, reply) => {
  const paging = () => parseStapiPageParameters({ limit: call.query['limit'], next: call.query['next'] }, max_orders)
  const { content, totalElements, last } = await call.read<OrderPage>('orders.list', () => {
    const { limit, begin } = paging()
    return { type: 'tasking', include_areas: true, sort: 'createdAt,asc', size: limit, page: begin }
  })
  const { limit, begin } = paging()
  const next = last ? null : String(begin + 1)
  const links = nextLink(call.urls.orders, { limit, next }, stapiGeojsonMediaType)
  return send(reply, toStapiOrderCollection(content, call.urls, { total: totalElements, links }), stapiGeojsonMediaType)
}

const getOrder: Handle = async (call, reply) =>
  send(
    reply,
    toStapiOrder(await readTaskingOrder(call, call.params['order_id'] ?? ''), call.urls),
    stapiGeojsonMediaType,
  )

const listOrderStatuses: Handle = async (call, reply) => {
  const { id } = await readTaskingOrder(call, call.params['order_id'] ?? '')
  const timeline = await call.read<OrderTimeline>('orders.timeline', () => ({ order_id: id }))
  const paging = parseStapiPageParameters({ limit: call.query['limit'], next: call.query['next'] }, max_page)
  const { page, next } = slicePage(listStapiStatuses(timeline), paging)
  const url = `${call.urls.order(id)}/statuses`
  return send(reply, { statuses: page, links: [createStapiLink('self', url), ...nextLink(url, { ...paging, next })] })
}

const schemaType = 'application/schema+json'

/** The Sensor Tasking API: the tasking operations in the words of its clients. */
const stapiRoutes: readonly { readonly method: 'GET' | 'POST'; readonly path: string; readonly handle: Handle }[] = [
  { method: 'GET', path: '', handle: async ({ urls }, reply) => send(reply, toStapiLanding(urls)) },
  {
    method: 'GET',
    path: '/conformance',
    handle: async (_, reply) => send(reply, toStapiConformance(stapiApiConformance)),
  },
  { method: 'GET', path: '/products', handle: listProducts },
  { method: 'GET', path: '/products/:product_id', handle: productDocument(toStapiProduct) },
  {
    method: 'GET',
    path: '/products/:product_id/conformance',
    handle: productDocument(() => toStapiConformance(stapiProductConformance)),
  },
  { method: 'GET', path: '/products/:product_id/queryables', handle: productDocument(toStapiQueryables, schemaType) },
  {
    method: 'GET',
    path: '/products/:product_id/order-parameters',
    handle: productDocument(toStapiOrderParameters, schemaType),
  },
  { method: 'POST', path: '/products/:product_id/opportunities', handle: searchOpportunities },
  { method: 'POST', path: '/products/:product_id/orders', handle: createOrder },
  { method: 'GET', path: '/orders', handle: listOrders },
  { method: 'GET', path: '/orders/:order_id', handle: getOrder },
  { method: 'GET', path: '/orders/:order_id/statuses', handle: listOrderStatuses },
]

/** Registers the interface at `/stapi`. The landing page and the conformance need no token. */
export function registerStapiRoutes(app: FastifyInstance, http: HttpRouteContext): void {
  for (const { method, path, handle } of stapiRoutes)
    app.route({
      method,
      url: `/stapi${path}`,
      config: { hasTextDetail: true },
      handler: (request, reply) => handle(new StapiCall(http, request, reply), reply),
    })
}
