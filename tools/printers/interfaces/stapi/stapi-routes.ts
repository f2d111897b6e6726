import type { JsonSchema } from '../../json-schema.ts'
import type { DescribedRoute } from '../described-route.ts'
import { jsonOf, limit, route, signedIn, spending, text, type Method, type RouteOptions } from '../describe-route.ts'
import {
  conformance,
  landing,
  opportunityCollection,
  opportunityRequest,
  order,
  orderCollection,
  orderRequest,
  product,
  productCollection,
  schemaDocument,
  statuses,
} from './stapi-schemas.ts'

const at = (method: Method, path: string, summary: string, options: RouteOptions): DescribedRoute =>
  route(method, `/stapi${path}`, summary, options)

const geojson = (schema: JsonSchema, status = '200') => ({ [status]: { 'application/geo+json': schema } })
const schema = { answers: { '200': { 'application/schema+json': schemaDocument } } }
const paging = { query: [limit, text('next', 'The place to go on from.')], refusals: [400, ...signedIn, 422] }
const refusals = spending

/** Sensor Tasking API. */
export const stapiRoutes: readonly DescribedRoute[] = [
  at('GET', '', 'The landing page of the interface.', { isPublic: true, answers: jsonOf(landing) }),
  at('GET', '/conformance', 'The conformance classes of the interface.', {
    isPublic: true,
    answers: jsonOf(conformance),
  }),
  at('GET', '/products', 'List what can be tasked.', { ...paging, answers: jsonOf(productCollection) }),
  at('GET', '/products/{product_id}', 'Describe a product.', { answers: jsonOf(product) }),
  at('GET', '/products/{product_id}/conformance', 'The conformance classes of a product.', {
    answers: jsonOf(conformance),
  }),
  at('GET', '/products/{product_id}/queryables', 'The constraints of opportunities.', schema),
  at('GET', '/products/{product_id}/order-parameters', 'The parameters of an order.', schema),
  at('POST', '/products/{product_id}/opportunities', 'Search passes.', {
    body: opportunityRequest,
    refusals,
    operation: 'orders.tasking.opportunities_list',
    answers: geojson(opportunityCollection),
  }),
  at('POST', '/products/{product_id}/orders', 'Order an acquisition.', {
    body: orderRequest,
    refusals,
    operation: 'orders.tasking.place',
    answers: geojson(order, '201'),
  }),
  at('GET', '/orders', 'List tasking orders.', {
    ...paging,
    operation: 'orders.list',
    answers: geojson(orderCollection),
  }),
  at('GET', '/orders/{order_id}', 'A tasking order.', { operation: 'orders.get', answers: geojson(order) }),
  at('GET', '/orders/{order_id}/statuses', 'The states of an order, newest first.', {
    ...paging,
    operation: 'orders.get',
    answers: jsonOf(statuses),
  }),
]
