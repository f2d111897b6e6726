import { posix } from 'node:path'
import type { HostFile } from '../../imagery-host.ts'
import type { HostScene } from '../../host-types.ts'
import {
  asArray,
  asObject,
  asText,
  isObject,
  listDataAssets,
  readStacItem,
  toUniqueAssetKeys,
  type HostItem,
  type ReadonlyJsonObject,
} from '../stac-item.ts'
import { downloadFile } from '../stac/download-file.ts'
import { readStapiInterval } from './search-parameters.ts'
import { findStapiLink, readStapiLinks, type StapiClient, type StapiLink } from './stapi-client.ts'
import type { StapiHostRow } from './stapi-row.ts'

/** The delivery of an order: one scene, of which the files of all its items are assets. */
export interface OrderedScene {
  readonly scene: HostScene
  readonly files: readonly HostFile[]
}

export interface OrderedSceneContext {
  readonly client: StapiClient
  readonly row: StapiHostRow
  readonly order: ReadonlyJsonObject
  readonly order_url: string
}

/** Relations of links that do not lead to delivered files. */
const other_relations: ReadonlySet<string> = new Set([
  'self',
  'root',
  'parent',
  'monitor',
  'cancel',
  'create-order',
  'collection',
  'conformance',
  'license',
  'next',
  'prev',
  'queryables',
  'order-parameters',
  'products',
  'product',
  'search-record',
  'thumbnail',
  'overview',
])
const max_documents = 20
const max_files = 50

/**
 * The delivered scene of a completed order; null if the provider names no file. STAPI leaves open how: a link to a STAC Item
 * or to a collection of them, a link to a GeoTIFF, or `assets` in the order itself, in its status or in an earlier one.
 */
export async function readOrderedScene(
  context: OrderedSceneContext,
  signal?: AbortSignal,
): Promise<OrderedScene | null> {
  const links = await readDeliveryLinks(context, signal)
  const items: HostItem[] = []
  for (const { href } of links.filter(isDocument).slice(0, max_documents))
    items.push(...(await readItems(context, href, signal)))
  const own = readOwnItem(context, links)
  if (own) items.push(own)
  const [first] = items
  const assets = items.flatMap((item) => listDataAssets(item, context.row.asset_keys)).slice(0, max_files)
  if (!first || assets.length === 0) return null
  const scene = { ...first.scene, collection: asText(asObject(context.order['properties'])['product_id']) ?? '' }
  const keys = toUniqueAssetKeys(assets.map(({ key }) => key))
  const { client } = context
  const files = assets.map(({ href, size, sha256, bands, nodata }, index): HostFile => ({
    scene: scene.id,
    asset: keys[index]!,
    file_name: posix.basename(new URL(href).pathname) || keys[index]!,
    size,
    sha256,
    bands,
    ...(nodata === null ? {} : { nodata }),
    download: (localPath, downloadSignal) =>
      downloadFile(href, localPath, { ...client, max_bytes: client.limits.max_file_bytes }, downloadSignal),
  }))
  return { scene, files }
}

const isGeotiff = ({ media_type, href }: StapiLink): boolean =>
  media_type === 'image/tiff' || (media_type === '' && /\.tiff?($|\?)/i.test(href))

const isDocument = (link: StapiLink): boolean =>
  !isGeotiff(link) && ['', 'application/json', 'application/geo+json'].includes(link.media_type)

/** Links of the order and of its status; those of earlier statuses if these have none. */
async function readDeliveryLinks({ client, order, order_url }: OrderedSceneContext, signal?: AbortSignal) {
  const status = asObject(asObject(order['properties'])['status'])
  const links = [...readStapiLinks(order, order_url), ...readStapiLinks(status, order_url)].filter(isDelivery)
  const monitor = findStapiLink(order, 'monitor', order_url)
  if (links.length > 0 || !monitor) return links
  const { json } = await client.exchange({ method: 'GET', url: monitor.href }, [200, 404], signal)
  return asArray(asObject(json)['statuses']).flatMap((earlier) =>
    readStapiLinks(asObject(earlier), monitor.href).filter(isDelivery),
  )
}

const isDelivery = ({ rel, method }: StapiLink): boolean => !other_relations.has(rel) && method === 'GET'

/** The items of a document; none if it is something else, such as a log. */
async function readItems({ client }: OrderedSceneContext, url: string, signal?: AbortSignal): Promise<HostItem[]> {
  const { status, json } = await client.exchange({ method: 'GET', url }, [200, 404], signal)
  const document = asObject(json)
  const features = document['type'] === 'FeatureCollection' ? asArray(document['features']) : [document]
  const items = status === 200 ? features.slice(0, max_files).flatMap((feature) => readStacItem(feature) ?? []) : []
  return items.map((item) => resolveAssets(item, url))
}

const resolveAssets = (item: HostItem, base: string): HostItem => ({
  ...item,
  assets: item.assets.flatMap((asset) =>
    URL.canParse(asset.href, base) ? [{ ...asset, href: new URL(asset.href, base).href }] : [],
  ),
})

/** The order as an item, if it has assets, or links to images. */
function readOwnItem({ order, order_url }: OrderedSceneContext, links: readonly StapiLink[]): HostItem | null {
  const properties = asObject(order['properties'])
  const linked = links
    .filter(isGeotiff)
    .map(({ href, fields }, index) => [
      asText(fields['title']) ?? `data_${index + 1}`,
      { ...fields, href, type: 'image/tiff', roles: ['data'] },
    ])
  const assets: ReadonlyJsonObject = {
    ...asObject(order['assets']),
    ...asObject(properties['assets']),
    ...Object.fromEntries(linked),
  }
  if (Object.keys(assets).length === 0) return null
  const request = asObject(
    asObject(properties['order_request'])['search_parameters'] ?? properties['search_parameters'],
  )
  const acquired = readStapiInterval(asObject(properties['opportunity_properties'])['datetime'])
  const status = asObject(properties['status'])
  const datetime = acquired?.from.toISOString() ?? asText(properties['datetime']) ?? status['timestamp']
  const geometry = isArea(order['geometry']) ? order['geometry'] : request['geometry']
  const item = readStacItem({ id: order['id'], geometry, bbox: order['bbox'], properties: { datetime }, assets })
  return item && resolveAssets(item, order_url)
}

const isArea = (value: unknown): boolean => isObject(value) && /^(Multi)?Polygon$/.test(asText(value['type']) ?? '')
