import { geometryBounds, isValidBounds } from '@swath/geo/bbox.ts'
import { type AreaGeometry } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import { readClassificationClasses } from '../classification-classes.ts'
import type { HostBand, HostGrid, HostScene } from '../imagery-host.ts'
import { readProjectionGrid } from './stac-grid.ts'

/** An asset of a STAC item, as far as it is valid. */
export interface HostItemAsset {
  readonly key: string
  readonly href: string
  /** The media type in lower case, without parameters; empty if it is not stated. */
  readonly media_type: string
  readonly roles: readonly string[]
  readonly size: number | null
  readonly sha256: string | null
  readonly bands: readonly HostBand[]
  readonly nodata: number | null
  /** The grid by fields of the asset; null if they do not state it. */
  readonly grid: HostGrid | null
}

export interface HostItem {
  readonly scene: HostScene
  readonly assets: readonly HostItemAsset[]
  /** The grid of its files; null if it is not stated. */
  readonly grid: HostGrid | null
}

export type ReadonlyJsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is ReadonlyJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asObject = (value: unknown): ReadonlyJsonObject => (isObject(value) ? value : {})
export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

const max_id_length = 512
const max_assets = 200
const max_vertices = 5000
/** Properties beyond this are left out, since every scene is stored with its order. */
const max_properties_length = 64 * 1024

/** The scene and assets of a STAC item of an unknown author; null if it has no id, area or time that can be used. */
export function readStacItem(value: unknown): HostItem | null {
  const item = asObject(value)
  const properties = asObject(item['properties'])
  const id = asText(item['id'])
  const time = readTime(properties)
  if (!id || id.length > max_id_length || !isPrintable(id) || !time) return null
  const { geometry } = validateAreaGeometry(item['geometry'], { max_vertices })
  if (!geometry) return null
  const assets = Object.entries(asObject(item['assets']))
    .slice(0, max_assets)
    .flatMap(([key, asset]) => readAsset(key, asset, properties))
  const collection = asText(item['collection']) ?? ''
  if (!isPrintable(collection)) return null
  const bbox = readBbox(item['bbox'], geometry)
  const scene = { id, collection, geometry, bbox, ...time, properties: readProperties(properties, time) }
  const data = assets.find(({ grid, roles }) => grid !== null && !isPreviewRole(roles))
  return { scene, assets, grid: readProjectionGrid(properties, properties) ?? data?.grid ?? null }
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const isPrintable = (text: string): boolean => !/[\u0000-\u001f\u007f]|\p{Cs}/u.test(text)

interface SceneTime {
  readonly datetime: string
}

/** Null also for years that RFC 3339 cannot express. */
const isoTime = (value: unknown): string | null => {
  const time_ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  const time = Number.isNaN(time_ms) ? '' : new Date(time_ms).toISOString()
  return /^\d{4}-/.test(time) && !time.startsWith('0000') ? time : null
}

/** The time of a scene, by which lists are sorted: that of an interval is its start. */
function readTime(properties: ReadonlyJsonObject): SceneTime | null {
  const datetime = isoTime(properties['datetime']) ?? isoTime(properties['start_datetime'])
  return datetime === null ? null : { datetime }
}

/** The bbox of the item without heights; that of its geometry if it has none or an invalid one. */
function readBbox(value: unknown, geometry: AreaGeometry): Bounds {
  const numbers = asArray(value).map(asNumber)
  const flat = numbers.length === 6 ? [numbers[0], numbers[1], numbers[3], numbers[4]] : numbers
  const bbox = flat.flatMap((number) => (typeof number === 'number' ? [number] : []))
  return flat.length === 4 && bbox.length === 4 && isValidBounds(bbox) ? bbox : geometryBounds(geometry)
}

const number_properties = ['eo:cloud_cover', 'gsd'] as const

function readProperties(properties: ReadonlyJsonObject, { datetime }: SceneTime): ReadonlyJsonObject {
  const { start_datetime, end_datetime, ...rest } = properties
  const [start, end] = [isoTime(start_datetime), isoTime(end_datetime)]
  const wrong = number_properties.filter((name) => name in rest && asNumber(rest[name]) === null)
  const kept = Object.entries(rest).filter(
    ([name, value]) =>
      value !== undefined && !(wrong as readonly string[]).includes(name) && isStorable(name) && isStorable(value),
  )
  const result = { ...Object.fromEntries(kept), datetime, ...(start && end ? interval(start, end) : {}) }
  return JSON.stringify(result).length <= max_properties_length ? result : keepShort(result)
}

/** Says whether a database can store all texts of a value: without zero characters and unpaired surrogates. */
const isStorable = (value: unknown): boolean => !/\\u(0000|d[89a-f])/.test(JSON.stringify(value))

const interval = (start_datetime: string, end_datetime: string) => ({ start_datetime, end_datetime })

const keepShort = (properties: ReadonlyJsonObject): ReadonlyJsonObject =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => (JSON.stringify(value) ?? '').length <= 256)
      .slice(0, 100),
  )

function readAsset(key: string, value: unknown, properties: ReadonlyJsonObject): HostItemAsset[] {
  const asset = asObject(value)
  const href = readHref(asset)
  if (href === null) return []
  const bands = readBands(asset)
  return [
    {
      key,
      href,
      media_type: (asText(asset['type']) ?? '').toLowerCase().split(';')[0]!.trim(),
      roles: asArray(asset['roles']).flatMap((role) => asText(role) ?? []),
      size: readSize(asset['file:size']),
      sha256: readSha256(asset['file:checksum']),
      bands: bands.map(({ band }) => band),
      nodata: bands.find(({ nodata }) => nodata !== null)?.nodata ?? asNumber(asset['nodata']),
      grid: readProjectionGrid(asset, properties),
    },
  ]
}

/** The address of an asset; one over https is preferred if the item has alternatives. */
function readHref(asset: ReadonlyJsonObject): string | null {
  const href = asText(asset['href'])
  if (href?.startsWith('https:')) return href
  const alternatives = Object.values(asObject(asset['alternate'])).map((other) => asText(asObject(other)['href']))
  return alternatives.find((other) => other?.startsWith('https:')) ?? href
}

function readSize(value: unknown): number | null {
  const size = asNumber(value)
  return size !== null && Number.isSafeInteger(size) && size > 0 ? size : null
}

/** `file:checksum` is a multihash in hexadecimal; 1220 stands for SHA-256 with 32 bytes. */
const readSha256 = (value: unknown): string | null =>
  /^1220([0-9a-f]{64})$/.exec((asText(value) ?? '').toLowerCase())?.[1] ?? null

interface AssetBand {
  readonly band: HostBand
  readonly nodata: number | null
}

const categorical = /^(scl|qa|fmask|cfmask|qa_pixel|qa_aerosol|qa_radsat|mask|classification|land_?cover)$/i

/** Bands of STAC 1.1 (`bands`), or of the extensions `eo` and `raster` of STAC 1.0, in file order. */
function readBands(asset: ReadonlyJsonObject): AssetBand[] {
  const common = asArray(asset['bands']).map(asObject)
  const eo = asArray(asset['eo:bands']).map(asObject)
  const raster = asArray(asset['raster:bands']).map(asObject)
  const count = Math.min(100, Math.max(common.length, eo.length, raster.length))
  return Array.from({ length: count }, (_, index) => {
    const merged = { ...raster[index], ...eo[index], ...common[index] }
    const name = asText(merged['name']) ?? `band_${index + 1}`
    const scale = asNumber(merged['raster:scale'] ?? merged['scale'])
    const offset = asNumber(merged['raster:offset'] ?? merged['offset'])
    const classes = readClassificationClasses(
      merged['classification:classes'] ?? (count === 1 ? asset['classification:classes'] : null),
    )
    return {
      band: {
        name,
        common_name: asText(merged['eo:common_name'] ?? merged['common_name']),
        ...(classes || categorical.test(name) ? { categorical: true } : {}),
        ...(classes ? { classes } : {}),
        ...(scale === null ? {} : { scale }),
        ...(offset === null ? {} : { offset }),
      },
      nodata: asNumber(merged['nodata']),
    }
  })
}

/** Assets with pixels to deliver: those with a configured key, or the data files that are GeoTIFF. */
export function listDataAssets(item: HostItem, keys: readonly string[] | null): readonly HostItemAsset[] {
  if (keys) return item.assets.filter((asset) => keys.includes(asset.key) && !isDocument(asset))
  const geotiffs = item.assets.filter(({ media_type, href }) => isGeotiff(media_type, href))
  const data = geotiffs.filter(({ roles }) => roles.includes('data'))
  return data.length > 0
    ? data
    : geotiffs.filter(({ roles }) => !roles.some((role) => role === 'thumbnail' || role === 'overview'))
}

const document_types = new Set([
  'application/json',
  'application/geo+json',
  'application/xml',
  'text/xml',
  'text/plain',
])

const isDocument = ({ media_type, roles }: HostItemAsset): boolean =>
  roles.includes('metadata') && document_types.has(media_type)

/** Assets without pixels that are delivered as they are: the metadata of the provider. */
export const listDocumentAssets = (item: HostItem, keys: readonly string[] | null): readonly HostItemAsset[] =>
  item.assets.filter((asset) => isDocument(asset) && (!keys || keys.includes(asset.key)))

const isGeotiff = (media_type: string, href: string): boolean =>
  media_type === 'image/tiff' || (media_type === '' && /\.tiff?($|\?)/i.test(href))

const isCloudMask = ({ key, media_type, href }: HostItemAsset): boolean =>
  /^(scl|fmask|qa_pixel|bqa)$/i.test(key) && isGeotiff(media_type, href)
const isImageGeotiff = ({ media_type, href, roles }: HostItemAsset): boolean =>
  (roles.includes('overview') || roles.includes('visual')) && isGeotiff(media_type, href)

/** Files that tell more about a scene and are not among those that are delivered: cloud masks, then images as GeoTIFF. */
export function listAuxiliaryAssets(item: HostItem, delivered: readonly HostItemAsset[]): readonly HostItemAsset[] {
  const keys = new Set(delivered.map(({ key }) => key))
  const others = item.assets.filter(({ key }) => !keys.has(key))
  return [...others.filter(isCloudMask), ...others.filter(isImageGeotiff)].slice(0, max_auxiliary_assets)
}

const max_auxiliary_assets = 4
const preview_roles = ['thumbnail', 'overview']
const isPreviewRole = (roles: readonly string[]): boolean => roles.some((role) => preview_roles.includes(role))
const preview_keys = ['thumbnail', 'rendered_preview', 'preview', 'overview']

/** Images that can be shown as a quicklook, the smallest first. */
export function listPreviewAssets(item: HostItem): readonly HostItemAsset[] {
  const rank = ({ key, roles }: HostItemAsset): number => {
    const ranks = [preview_keys.indexOf(key), ...roles.map((role) => preview_roles.indexOf(role))]
    return Math.min(...ranks.map((at) => (at < 0 ? Number.POSITIVE_INFINITY : at)))
  }
  const isImage = ({ media_type }: HostItemAsset): boolean =>
    media_type === '' || /^image\/(png|jpe?g|webp)$/.test(media_type)
  return item.assets
    .filter((asset) => isImage(asset) && Number.isFinite(rank(asset)))
    .toSorted((left, right) => rank(left) - rank(right))
}

/** The media type of an image by its first bytes; null if a browser should not show it. */
export function detectImageMediaType(bytes: Uint8Array): string | null {
  const begins = (...expected: readonly number[]): boolean => expected.every((byte, index) => bytes[index] === byte)
  if (begins(0x89, 0x50, 0x4e, 0x47)) return 'image/png'
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  const isWebp = begins(0x52, 0x49, 0x46, 0x46) && Buffer.from(bytes.subarray(8, 12)).toString('latin1') === 'WEBP'
  return isWebp ? 'image/webp' : null
}

/** Unique keys for delivered assets: lower-case letters, digits and underscores. */
export function toUniqueAssetKeys(keys: readonly string[]): string[] {
  const used = new Set<string>()
  return keys.map((key) => {
    const plain = key
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, '_')
      .replace(/^_+/, '')
      .slice(0, 90)
    const base = /^[a-z]/.test(plain) ? plain : `asset_${plain || 'data'}`.slice(0, 95)
    let unique = base
    for (let count = 2; used.has(unique); count += 1) unique = `${base}_${count}`
    used.add(unique)
    return unique
  })
}
