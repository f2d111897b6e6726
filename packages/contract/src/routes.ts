import { limits } from './limits.ts'

/** How the route represents the output of the operation; without one the body is the output itself. */
export type RouteShape = 'geojson' | 'stac-item' | 'created' | 'no-content' | 'image' | 'redirect' | 'wmts'

/** A range narrower than that of the operation. */
export interface Narrowing {
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

/** A route beside the canonical ones. Path and query parameters bind to input fields by name. */
export interface Route {
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
  /** Path parameters for which a malformed id answers 404 instead of 422, as the standards of the route require. */
  readonly absent?: readonly string[]
  /** Query parameters with narrower limits than the field. */
  readonly query?: Readonly<Record<string, Narrowing>>
  readonly shape?: RouteShape
  /** For clients that cannot send headers: accepts a tile token in the URL, as `key` or `token`. */
  readonly keyed?: boolean
  /**
   * `wmts`: parameters as OGC defines them: names in any case, unknown ones ignored; `REQUEST` may select the other
   * operation. `stac`: query parameters in the syntax of the STAC API, such as `sortby=+a,-b`, and 400 if one is invalid.
   * Both pass the base URL of the request on to the operation.
   */
  readonly dialect?: 'wmts' | 'stac'
  /** The path to use instead; responses carry `Deprecation`, `Sunset` and a link to it. */
  readonly successor?: string
}

/** Dates (UTC) from which routes with a successor are deprecated, and from which they may be removed. */
export const deprecation = { since: '2026-01-01', sunset: '2029-01-01' } as const

const itemsWindow = { limit: limits.items_rest_limit }
const item = { id: 'item_id' }

const tiles: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/WMTSCapabilities.xml',
    operation: 'items.tile.wmts_capabilities',
    rename: item,
    fixed: { base_url: '{base}' },
    shape: 'wmts',
    keyed: true,
    dialect: 'wmts',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/wmts',
    operation: 'items.tile.wmts_get_tile',
    rename: item,
    shape: 'wmts',
    keyed: true,
    dialect: 'wmts',
  },
  // The tile URL template (ResourceURL) of the capabilities document.
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/wmts/{z}/{y}/{x}.{format}',
    operation: 'items.tile.wmts_get_tile',
    rename: item,
    shape: 'wmts',
    keyed: true,
    dialect: 'wmts',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/tilejson.json',
    operation: 'items.tile.tilejson',
    rename: item,
    keyed: true,
  },
  // Before the route without `@2x`, which would read `3@2x` as the row.
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/{z}/{x}/{y}@2x.{format}',
    operation: 'items.tile.render',
    rename: item,
    fixed: { scale: 2 },
    shape: 'image',
    keyed: true,
  },
  ...['mvt', 'pbf'].map((ending): Route => ({
    method: 'GET',
    path: `/api/v1/items/{id}/tiles/{z}/{x}/{y}.${ending}`,
    operation: 'items.tile.vector',
    rename: item,
    shape: 'image',
    keyed: true,
  })),
  {
    method: 'GET',
    path: '/api/v1/items/{id}/tiles/{z}/{x}/{y}.{format}',
    operation: 'items.tile.render',
    rename: item,
    shape: 'image',
    keyed: true,
  },
]

const shared: readonly Route[] = [
  { method: 'GET', path: '/api/v1/share/tilejson.json', operation: 'share.tilejson' },
  { method: 'GET', path: '/api/v1/share/tiles/{z}/{x}/{y}.{format}', operation: 'share.tile.render', shape: 'image' },
]

const holdings: readonly Route[] = [
  { method: 'GET', path: '/api/v1/projects', operation: 'projects.list', query: { limit: limits.projects_rest_limit } },
  { method: 'GET', path: '/api/v1/projects/{project_id}', operation: 'projects.get' },
  { method: 'GET', path: '/api/v1/projects/{project_id}/members', operation: 'projects.members.list' },
  { method: 'GET', path: '/api/v1/projects/{project_id}/collections', operation: 'collections.list' },
  { method: 'GET', path: '/api/v1/projects/{project_id}/collections/{collection_id}', operation: 'collections.get' },
  { method: 'GET', path: '/api/v1/projects/{project_id}/items', operation: 'items.list', query: itemsWindow },
  {
    method: 'GET',
    path: '/api/v1/collections/{collection_id}/items',
    operation: 'items.list_by_collection',
    query: itemsWindow,
  },
  { method: 'GET', path: '/api/v1/items/{item_id}', operation: 'items.get' },
  { method: 'GET', path: '/api/v1/items/{item_id}/assets', operation: 'items.list_assets' },
  {
    method: 'GET',
    path: '/api/v1/items/{item_id}/features',
    operation: 'items.features.list',
    query: itemsWindow,
    shape: 'geojson',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{item_id}/assets/{asset_id}',
    operation: 'items.asset.download',
    // GDAL looks for sidecar files such as `{asset_id}.aux.xml`.
    absent: ['asset_id'],
    // GDAL requests this URL again for every range of the file that it reads.
    fixed: { again: true },
    shape: 'redirect',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{item_id}/assets/{asset_id}/download',
    operation: 'items.asset.download',
    shape: 'redirect',
  },
  {
    method: 'GET',
    path: '/api/v1/items/{item_id}/assets/{asset_id}/download-url',
    operation: 'items.asset.download',
  },
]

const stacPage = (path: string, operation: string): Route => ({
  method: 'GET',
  path: `/assets/stac${path}`,
  operation,
  dialect: 'stac',
  ...(path.includes('{collection_id}') ? { absent: ['collection_id'] } : {}),
})

const items = '/collections/{collection_id}/items'
const oneItem = `${items}/{stac_id}`

/** The STAC API. The link to the next page has the method of the request for the first one. */
const stac: readonly Route[] = [
  stacPage('', 'stac.landing'),
  stacPage('/conformance', 'stac.conformance'),
  stacPage('/queryables', 'stac.queryables'),
  stacPage('/aggregate', 'stac.aggregate'),
  stacPage('/collections', 'stac.collections.list'),
  stacPage('/collections/{collection_id}', 'stac.collections.get'),
  stacPage('/collections/{collection_id}/queryables', 'stac.queryables'),
  { ...stacPage(items, 'stac.items.list'), fixed: { link_method: 'GET' }, shape: 'geojson' },
  { ...stacPage(items, 'stac.items.create'), method: 'POST', body: 'item', shape: 'created' },
  { ...stacPage(oneItem, 'stac.items.get'), shape: 'stac-item' },
  { ...stacPage(oneItem, 'stac.items.replace'), method: 'PUT', body: 'item', shape: 'no-content' },
  { ...stacPage(oneItem, 'stac.items.update'), method: 'PATCH', body: 'item', shape: 'no-content' },
  { ...stacPage(oneItem, 'stac.items.delete'), method: 'DELETE', shape: 'no-content' },
  { ...stacPage('/search', 'stac.items.search'), fixed: { link_method: 'GET' }, shape: 'geojson' },
  { ...stacPage('/search', 'stac.items.search'), method: 'POST', shape: 'geojson' },
  { ...stacPage('/aggregate', 'stac.aggregate'), method: 'POST' },
]

/** Routes at the root, each of which has a deprecated alias under `/v2`. */
const root: readonly Route[] = [
  {
    method: 'GET',
    path: '/catalog/{host_name}/image/{image_id}/quicklook',
    operation: 'catalog.image.quicklook',
    shape: 'image',
  },
  { method: 'GET', path: '/orders/{order_id}/assets', operation: 'orders.list_assets', shape: 'geojson' },
  ...stac,
]

const twin = (route: Route): Route => ({ ...route, path: `/v2${route.path}`, successor: route.path })

/** Every route that is neither `/v1/op/{id}` nor the id with slashes for dots. */
export const routes: readonly Route[] = [
  ...holdings,
  ...tiles,
  ...shared,
  ...root,
  ...root.map(twin),
  { method: 'POST', path: '/v2/orders', operation: 'orders.place' },
]
