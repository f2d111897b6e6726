import { limits } from './limits.ts'

/** How the output of the operation becomes the body of the route; without one it is the plain answer. */
export type RouteShape = 'geojson' | 'stac-item' | 'created' | 'no-content' | 'image' | 'redirect' | 'wmts'

/** A range narrower than the operation's own. */
export interface Narrowing {
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

/** An address beside the canonical doors. Path and query values bind to input fields by name. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `{name}` binds one path segment, or a part of one. */
  readonly path: string
  readonly operation: string
  /** Names of the route to fields of the input. */
  readonly rename?: Readonly<Record<string, string>>
  /** Fields that the route decides; `{base}` stands for the absolute address of the service. */
  readonly fixed?: Readonly<Record<string, string | number | boolean>>
  /** The field that the whole body is; without it the members of the body are fields. */
  readonly body?: string
  /** Places in the path where a text that no id can be leads to nothing (404), as the standards of the route have it. */
  readonly absent?: readonly string[]
  /** Query parameters with narrower limits than the field. */
  readonly query?: Readonly<Record<string, Narrowing>>
  readonly shape?: RouteShape
  /** Reached by tools that can send no header: a tile token may stand in the address, as `key` or `token`. */
  readonly keyed?: boolean
  /**
   * `wmts`: parameters as OGC has them: names in any case, unknown ones left alone; `REQUEST` may name the other
   * operation. `stac`: the texts of the STAC API in an address, such as `sortby=+a,-b`, and 400 for what does not fit.
   * Either says where it was asked.
   */
  readonly dialect?: 'wmts' | 'stac'
  /** The path that is to be used instead; answers carry `Deprecation`, `Sunset` and a link to it. */
  readonly successor?: string
}

/** Days (UTC) since when addresses with a successor are deprecated, and from which on they may be gone. */
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
  // The template of the capabilities.
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
  // Before the plain one, which would take `3@2x` for a number.
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
    // GDAL looks for files beside it, `{asset_id}.aux.xml` and the like.
    absent: ['asset_id'],
    // And comes back here for every part of the file that it reads.
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

/** The STAC API. Pages that follow are asked for in the way in which the first one was. */
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

/** Addresses at the root, each of which has a deprecated twin under `/v2`. */
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

/** Every address that is neither `/v1/op/{id}` nor the id with slashes for dots. */
export const routes: readonly Route[] = [
  ...holdings,
  ...tiles,
  ...shared,
  ...root,
  ...root.map(twin),
  { method: 'POST', path: '/v2/orders', operation: 'orders.place' },
]
