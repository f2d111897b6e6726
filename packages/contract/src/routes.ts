import { limits } from './limits.ts'
import type { ProblemName } from './problems.ts'

/** The representation of the output of the operation by the route; without one, the body is the output itself. */
export type RouteRepresentation =
  | 'geojson'
  | 'stac-item'
  | 'created'
  | 'no-content'
  | 'image'
  | 'redirect'
  | 'wmts'
  | 'json-schema'
  | 'scenes'
  | 'data'
  | 'data-object'
  | 'order-resource'
  | 'order-resources'
  | 'only-member'
  | 'balances'

/** A range narrower than that of the operation. */
export interface NarrowedInputRange {
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

/** What a token in a URL permits: the tiles of an item or a collection, or the files of an item. */
export type UrlTokenKind = 'tile' | 'asset'

/** A route beside the canonical ones. Path and query parameters bind to input fields by name. */
export interface ContractRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `{name}` binds one path segment, or a part of one. */
  readonly path: string
  readonly operation: string
  /** Path parameters to input fields with another name. */
  readonly rename?: Readonly<Record<string, string>>
  /** Input fields that the route sets; `{base}` stands for the absolute URL of the service. */
  readonly fixed?: Readonly<Record<string, string | number | boolean>>
  /** The input field that takes the whole body; without it the members of the body are the fields. */
  readonly body?: string
  /**
   * Path parameters for which a malformed id answers 404 instead of 422; `ids`: all that are ids of the platform. In the
   * dialects of the routes at the root, text that is not an id names nothing.
   */
  readonly notFoundIfMalformed?: readonly string[] | 'ids'
  /** Query parameters with narrower limits than the field. */
  readonly query?: Readonly<Record<string, NarrowedInputRange>>
  /** Query parameters that may be repeated, which the operation takes as one comma-separated list. */
  readonly commaSeparated?: readonly string[]
  /** The format of an image that can be converted, for callers that name none, neither as `format` nor in `Accept`. */
  readonly imageFormat?: 'png' | 'jpeg'
  /** Members of the body that belong into its member `properties`, where clients send them beside it. */
  readonly propertyMembers?: readonly string[]
  /** Members of the body and query parameters that clients send and that have no effect. */
  readonly ignored?: readonly string[]
  /** Problem documents have the message as `error.message`, too, where clients of this route read it. */
  readonly hasErrorMember?: boolean
  /** Statuses of problems that clients of this route expect to differ. */
  readonly problemStatuses?: Readonly<Partial<Record<ProblemName, number>>>
  readonly representation?: RouteRepresentation
  /** The kind of token that the URL may have, as `key` or `token`, for clients that cannot send headers. */
  readonly urlToken?: UrlTokenKind
  /**
   * `wmts`: parameters as OGC defines them: names in any case, unknown ones ignored; `REQUEST` may select the other
   * operation. `stac`: query parameters in the syntax of the STAC API, such as `sortby=+a,-b`, and 400 if one is invalid.
   * Both pass the base URL of the request on to the operation.
   */
  readonly dialect?: 'wmts' | 'stac'
  /** The response has tokens in URLs, which no cache may store: QGIS prefers what its cache has, however old it is. */
  readonly hasTokens?: boolean
  /** The path to use instead; responses carry `Deprecation` and a link to it. No end is announced: the route stays. */
  readonly successor?: string
}

/** The date (UTC) from which routes with a successor are deprecated. */
export const routesDeprecatedSince = '2026-01-01'

const itemsPageSize = { limit: limits.items_rest_limit }
const itemParameter = { id: 'item_id' }

const tileRoutes: readonly ContractRoute[] = [
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/WMTSCapabilities.xml',
    operation: 'items.tile.wmts_capabilities',
    rename: itemParameter,
    fixed: { base_url: '{base}' },
    representation: 'wmts',
    urlToken: 'tile',
    dialect: 'wmts',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/wmts',
    operation: 'items.tile.wmts_get_tile',
    rename: itemParameter,
    representation: 'wmts',
    urlToken: 'tile',
    dialect: 'wmts',
  },
  // The tile URL template (ResourceURL) of the capabilities document.
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/wmts/{z}/{y}/{x}.{format}',
    operation: 'items.tile.wmts_get_tile',
    rename: itemParameter,
    representation: 'wmts',
    urlToken: 'tile',
    dialect: 'wmts',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/tilejson.json',
    operation: 'items.tile.tilejson',
    rename: itemParameter,
    urlToken: 'tile',
  },
  // Before the route without `@2x`, which would read `3@2x` as the row.
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/{z}/{x}/{y}@2x.{format}',
    operation: 'items.tile.render',
    rename: itemParameter,
    fixed: { scale: 2 },
    representation: 'image',
    urlToken: 'tile',
  },
  ...['mvt', 'pbf'].map((extension): ContractRoute => ({
    method: 'GET',
    path: `/api/v1/items/{id}/tiles/{z}/{x}/{y}.${extension}`,
    operation: 'items.tile.vector',
    rename: itemParameter,
    representation: 'image',
    urlToken: 'tile',
  })),
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/{z}/{x}/{y}.{format}',
    operation: 'items.tile.render',
    rename: itemParameter,
    representation: 'image',
    urlToken: 'tile',
  },
]

const shareRoutes: readonly ContractRoute[] = [
  { method: 'GET', path: '/api/v1/share/tilejson.json', operation: 'share.tilejson' },
  {
    method: 'GET',
    path: '/api/v1/share/tiles/{z}/{x}/{y}.{format}',
    operation: 'share.tile.render',
    representation: 'image',
  },
]

const resourceRoutes: readonly ContractRoute[] = [
  { method: 'GET', path: '/api/v1/event-types', operation: 'event_types.list' },
  { method: 'GET', path: '/api/v1/events', operation: 'events.list' },
  { method: 'GET', path: '/api/v1/events/stream', operation: 'events.stream' },
  { method: 'GET', path: '/api/v1/projects', operation: 'projects.list', query: { limit: limits.projects_rest_limit } },
  { method: 'GET', path: '/api/v1/projects/{project_id}', operation: 'projects.get' },
  { method: 'GET', path: '/api/v1/projects/{project_id}/members', operation: 'projects.members.list' },
  { method: 'GET', path: '/api/v1/projects/{project_id}/collections', operation: 'collections.list' },
  { method: 'GET', path: '/api/v1/projects/{project_id}/collections/{collection_id}', operation: 'collections.get' },
  { method: 'GET', path: '/api/v1/projects/{project_id}/items', operation: 'items.list', query: itemsPageSize },
  {
    method: 'GET',
    path: '/api/v1/collections/{collection_id}/items',
    operation: 'items.list_by_collection',
    query: itemsPageSize,
  },
  { method: 'GET', path: '/api/v1/items/{item_id}', operation: 'items.get' },
  { method: 'GET', path: '/api/v1/items/{item_id}/assets', operation: 'items.list_assets' },
  {
    method: 'GET',
    path: '/api/v1/items/{item_id}/features',
    operation: 'items.features.list',
    query: itemsPageSize,
    representation: 'geojson',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{item_id}/assets/{asset_id}',
    operation: 'items.asset.download',
    // GDAL looks for sidecar files such as `{asset_id}.aux.xml`.
    notFoundIfMalformed: ['asset_id'],
    // GDAL requests this URL again for every range of the file that it reads.
    fixed: { again: true },
    representation: 'redirect',
    urlToken: 'asset',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{item_id}/assets/{asset_id}/download',
    operation: 'items.asset.download',
    representation: 'redirect',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{item_id}/assets/{asset_id}/download-url',
    operation: 'items.asset.download',
  },
  // Clients append `/download-url` to the URL of an asset and send POST.
  {
    method: 'POST',
    path: '/api/v1/items/{item_id}/assets/{asset_id}/download-url',
    operation: 'items.asset.download',
  },
]

/**
 * The prefix of a second, read-only STAC API in which the URLs of files have a token, for readers that send headers to the
 * catalogue and none to the files, such as QGIS. It is part of the base URL of all its links.
 */
export const signedCatalogPrefix = '/signed'

const stacRoute = (path: string, operation: string): ContractRoute => ({
  method: 'GET',
  path: `/assets/stac${path}`,
  operation,
  dialect: 'stac',
})

const itemsPath = '/collections/{collection_id}/items'
const itemPath = `${itemsPath}/{stac_id}`

/** The STAC API. The link to the next page has the method of the request for the first one. */
const stacRoutes: readonly ContractRoute[] = [
  stacRoute('', 'stac.landing'),
  stacRoute('/conformance', 'stac.conformance'),
  stacRoute('/queryables', 'stac.queryables'),
  stacRoute('/aggregate', 'stac.aggregate'),
  stacRoute('/aggregations', 'stac.aggregations'),
  stacRoute('/collections', 'stac.collections.list'),
  stacRoute('/collections/{collection_id}', 'stac.collections.get'),
  {
    ...stacRoute('/collections/{collection_id}', 'stac.collections.delete'),
    method: 'DELETE',
    representation: 'no-content',
  },
  stacRoute('/collections/{collection_id}/queryables', 'stac.queryables'),
  stacRoute('/collections/{collection_id}/aggregate', 'stac.aggregate'),
  stacRoute('/collections/{collection_id}/aggregations', 'stac.aggregations'),
  {
    ...stacRoute(itemsPath, 'stac.items.list'),
    fixed: { link_method: 'GET' },
    // pystac-client adds the collection whose items it follows.
    ignored: ['collections'],
    representation: 'geojson',
  },
  { ...stacRoute(itemsPath, 'stac.items.create'), method: 'POST', body: 'item', representation: 'created' },
  { ...stacRoute(itemPath, 'stac.items.get'), representation: 'stac-item' },
  { ...stacRoute(itemPath, 'stac.items.replace'), method: 'PUT', body: 'item', representation: 'no-content' },
  {
    ...stacRoute(itemPath, 'stac.items.update'),
    method: 'PATCH',
    body: 'item',
    propertyMembers: ['up42-user:title', 'up42-user:tags'],
    representation: 'stac-item',
  },
  { ...stacRoute(itemPath, 'stac.items.delete'), method: 'DELETE', representation: 'no-content' },
  { ...stacRoute('/search', 'stac.items.search'), fixed: { link_method: 'GET' }, representation: 'geojson' },
  { ...stacRoute('/search', 'stac.items.search'), method: 'POST', representation: 'geojson' },
  { ...stacRoute('/aggregate', 'stac.aggregate'), method: 'POST' },
]

/** The reads of the STAC API, with the other base URL. */
const signedStacRoutes: readonly ContractRoute[] = stacRoutes
  .filter(({ method, path }) => method === 'GET' || (method === 'POST' && /\/(search|aggregate)$/.test(path)))
  .map((route) => ({
    ...route,
    path: `${signedCatalogPrefix}${route.path}`,
    hasTokens: true,
    fixed: { ...route.fixed, base_url: `{base}${signedCatalogPrefix}` },
  }))

/** A decision of the same client twice is not allowed as a method there. */
const decisionRoute = { representation: 'only-member', problemStatuses: { 'already-decided': 405 } } as const

const taskingRoutes: readonly ContractRoute[] = [
  {
    method: 'GET',
    path: '/tasking/quotation',
    operation: 'orders.tasking.quotations.list',
    commaSeparated: ['decision'],
  },
  {
    method: 'PATCH',
    path: '/tasking/quotation/{quotation_id}',
    operation: 'orders.tasking.quotation_decide',
    ...decisionRoute,
  },
  {
    method: 'GET',
    path: '/tasking/feasibility-studies',
    operation: 'orders.tasking.feasibility_studies.list',
    commaSeparated: ['decision'],
  },
  {
    method: 'PATCH',
    path: '/tasking/feasibility-studies/{study_id}',
    operation: 'orders.tasking.feasibility_decide',
    ...decisionRoute,
  },
]

/** An older name of the feasibility studies. */
const feasibilityAliases: readonly ContractRoute[] = taskingRoutes
  .filter(({ path }) => path.includes('/feasibility-studies'))
  .map((route) => ({
    ...route,
    path: `/v2${route.path.replace('/feasibility-studies', '/feasibility')}`,
    notFoundIfMalformed: 'ids',
    successor: route.path,
  }))

const webhookPath = '/workspaces/{workspace_id}/webhooks'

/** Webhooks of first-generation clients: each has one URL for several events. */
const webhookRoutes: readonly ContractRoute[] = (
  [
    { method: 'GET', path: '/webhooks/events', operation: 'webhooks.events.list', representation: 'data' },
    { method: 'POST', path: webhookPath, operation: 'webhooks.create', representation: 'data-object' },
    { method: 'GET', path: webhookPath, operation: 'webhooks.list', representation: 'data' },
    { method: 'GET', path: `${webhookPath}/{webhook_id}`, operation: 'webhooks.get', representation: 'data-object' },
    { method: 'PUT', path: `${webhookPath}/{webhook_id}`, operation: 'webhooks.update', representation: 'data-object' },
    {
      method: 'DELETE',
      path: `${webhookPath}/{webhook_id}`,
      operation: 'webhooks.delete',
      representation: 'no-content',
    },
    {
      method: 'POST',
      path: `${webhookPath}/{webhook_id}/tests`,
      operation: 'webhooks.test',
      representation: 'data-object',
    },
  ] as const
).map((route) => ({ ...route, hasErrorMember: true }))
/** The resource-style routes of orders. In a browser, the addresses of two of them are pages of the console. */
const orderRoutes: readonly ContractRoute[] = [
  { method: 'POST', path: '/orders/estimate', operation: 'orders.estimate' },
  // Clients read the errors of single features beside the orders of the others.
  { method: 'POST', path: '/orders', operation: 'orders.place', fixed: { partial: true } },
  {
    method: 'GET',
    path: '/orders',
    operation: 'orders.list',
    commaSeparated: ['tags', 'status', 'subStatus'],
    fixed: { include_areas: true },
    representation: 'order-resources',
  },
  { method: 'GET', path: '/orders/{order_id}', operation: 'orders.get', representation: 'order-resource' },
  { method: 'PATCH', path: '/orders/{order_id}', operation: 'orders.update', representation: 'order-resource' },
  { method: 'POST', path: '/orders/{order_id}/cancellation', operation: 'orders.cancel' },
  { method: 'GET', path: '/coverage/orders/{order_id}', operation: 'orders.coverage.get' },
]

const routesOfClients: readonly ContractRoute[] = [
  {
    method: 'GET',
    path: '/catalog/{host_name}/image/{image_id}/quicklook',
    operation: 'catalog.image.quicklook',
    // Clients name the file `.jpg`.
    imageFormat: 'jpeg',
    representation: 'image',
  },
  {
    method: 'GET',
    path: '/catalog/{host_name}/image/{image_id}/thumbnail',
    operation: 'catalog.image.thumbnail',
    representation: 'image',
  },
  { method: 'GET', path: '/collections', operation: 'glossary.collections.list' },
  { method: 'GET', path: '/providers', operation: 'glossary.providers.list' },
  // Every product that is listed can be ordered; none is hidden.
  { method: 'GET', path: '/data-products', operation: 'glossary.data_products.list', ignored: ['includeHidden'] },
  {
    method: 'GET',
    path: '/hosts',
    operation: 'glossary.providers.list',
    fixed: { role: 'HOST', size: limits.page_size.maximum },
    representation: 'data',
  },
  {
    method: 'POST',
    path: '/catalog/hosts/{host_name}/stac/search',
    operation: 'catalog.search',
    // Scenes are sorted by time.
    ignored: ['sortby'],
    hasErrorMember: true,
    representation: 'scenes',
  },
  {
    method: 'GET',
    path: '/orders/schema/{data_product_id}',
    operation: 'orders.get_schema',
    representation: 'json-schema',
  },
  { method: 'GET', path: '/orders/{order_id}/assets', operation: 'orders.list_assets', representation: 'geojson' },
  ...orderRoutes,
  { method: 'GET', path: '/eulas/{id}', operation: 'eulas.get', rename: { id: 'eula_id' } },
  ...taskingRoutes,
  ...webhookRoutes,
  ...stacRoutes,
  ...signedStacRoutes,
]

/** Routes at the root, each of which has a deprecated alias under `/v2`. */
const rootRoutes: readonly ContractRoute[] = routesOfClients.map((route) => ({ ...route, notFoundIfMalformed: 'ids' }))

const deprecatedAlias = (route: ContractRoute): ContractRoute => ({
  ...route,
  path: `/v2${route.path}`,
  successor: route.path,
})

/** The STAC API of the catalogue of all hosts. */
const catalogRoutes: readonly ContractRoute[] = [
  { method: 'GET', path: '/v2/catalog', operation: 'catalog.stac.landing', dialect: 'stac' },
  { method: 'GET', path: '/v2/catalog/collections', operation: 'catalog.stac.collections.list', dialect: 'stac' },
  {
    method: 'GET',
    path: '/v2/catalog/collections/{collection_name}',
    operation: 'catalog.stac.collections.get',
    dialect: 'stac',
  },
  ...(['GET', 'POST'] as const).map((method): ContractRoute => ({
    method,
    path: '/v2/catalog/search',
    operation: 'catalog.stac.search',
    dialect: 'stac',
    fixed: { link_method: method },
    // Scenes are sorted by time.
    ignored: ['sortby'],
    representation: 'geojson',
  })),
]

/** Routes of clients of the second generation that have no counterpart at the root. */
const secondGenerationRoutes: readonly ContractRoute[] = (
  [
    {
      method: 'GET',
      path: '/v2/assets',
      operation: 'items.bundles.list',
      commaSeparated: ['collectionNames', 'producerNames', 'tags', 'sources'],
    },
    { method: 'GET', path: '/v2/assets/{bundle_id}', operation: 'items.bundles.get' },
    { method: 'GET', path: '/v2/assets/{bundle_id}/metadata', operation: 'items.bundles.get' },
    { method: 'POST', path: '/v2/assets/{bundle_id}/metadata', operation: 'items.bundles.update' },
    { method: 'POST', path: '/v2/assets/{bundle_id}/download-url', operation: 'items.bundles.download' },
    { method: 'GET', path: '/v2/budgets', operation: 'billing.budgets.list', commaSeparated: ['status'] },
    { method: 'GET', path: '/v2/budgets/settings', operation: 'billing.budgets.settings' },
    { method: 'GET', path: '/v2/budgets/{budget_id}', operation: 'billing.budgets.get' },
    { method: 'GET', path: '/v2/budgets/{budget_id}/usage', operation: 'billing.budgets.usage' },
    {
      method: 'GET',
      path: '/v2/payments/balances',
      operation: 'billing.credits.balance',
      representation: 'balances',
    },
    ...catalogRoutes,
  ] satisfies readonly ContractRoute[]
).map((route) => ({ ...route, notFoundIfMalformed: 'ids' }))

/** Every route that is neither `/v1/op/{id}` nor the id with slashes for dots. */
export const contractRoutes: readonly ContractRoute[] = [
  ...resourceRoutes,
  ...tileRoutes,
  ...shareRoutes,
  ...rootRoutes,
  ...rootRoutes.map(deprecatedAlias),
  ...feasibilityAliases,
  ...secondGenerationRoutes,
]
