import type { StacAsset, StacItem, StacLink } from '@swath/contract/shapes/stac.ts'
import { assetHref, multihash } from './item.ts'
import { isSpdx, spdxPage } from './licence.ts'
import type { BandFacts, RasterFacts } from './raster-facts.ts'
import type { AssetRow } from './store.assets.ts'
import type { ItemRow } from './store.ts'

const extensions = {
  eo: 'https://stac-extensions.github.io/eo/v1.1.0/schema.json',
  file: 'https://stac-extensions.github.io/file/v2.1.0/schema.json',
  proj: 'https://stac-extensions.github.io/projection/v1.1.0/schema.json',
  raster: 'https://stac-extensions.github.io/raster/v1.1.0/schema.json',
} as const

type Prefix = keyof typeof extensions

/** Properties of our own extensions that may stand beside the item; the others belong to its assets, which we describe. */
const kept: ReadonlySet<string> = new Set(['eo:cloud_cover', 'eo:snow_cover'])

/** The closed list of the eo extension, version 1.1. */
const commonNames: ReadonlySet<string> = new Set([
  'coastal',
  'blue',
  'green',
  'red',
  'rededge',
  'yellow',
  'pan',
  'nir',
  'nir08',
  'nir09',
  'cirrus',
  'swir16',
  'swir22',
  'lwir',
  'lwir11',
  'lwir12',
])

const prefixOf = (name: string): string => name.split(':')[0] ?? ''

/** Uploaded, made by a job, or ordered: told from the item at every reading, never stored. */
export function sourceOf(item: Pick<ItemRow, 'upload_id' | 'job_id'>): 'ARCHIVE' | 'PROCESSING' | 'TASKING' {
  if (item.upload_id !== null) return 'ARCHIVE'
  return item.job_id !== null ? 'PROCESSING' : 'TASKING'
}

/**
 * The item as a STAC 1.0.0 Item. `base` begins every address in it. An item that nobody has dated carries the time of
 * its creation, since STAC knows no undated item; it is also the time that a search compares.
 */
export function stacItemOf(item: ItemRow, assets: readonly AssetRow[], base: string): StacItem {
  const properties = stacProperties(item)
  const described = Object.fromEntries(assets.map((asset) => [asset.key, stacAsset(asset, base)]))
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    stac_extensions: extensionsOf(item, properties, Object.values(described)),
    id: item.stac_id,
    ...(item.collection_id === null ? {} : { collection: item.collection_id }),
    geometry: item.geometry,
    ...(item.geometry === null || item.bbox === null ? {} : { bbox: item.bbox }),
    properties,
    assets: described,
    links: linksOf(item, base),
  }
}

function stacProperties(item: ItemRow): Record<string, unknown> {
  const own = Object.entries(item.properties).filter(
    ([name]) => kept.has(name) || !Object.hasOwn(extensions, prefixOf(name)),
  )
  const range = item.start_datetime !== null && item.end_datetime !== null
  return {
    ...Object.fromEntries(own),
    ...licenseOf(item),
    title: item.name,
    ...(item.description === null ? {} : { description: item.description }),
    datetime: (item.datetime ?? (range ? null : item.created_at))?.toISOString() ?? null,
    ...(range
      ? { start_datetime: item.start_datetime?.toISOString(), end_datetime: item.end_datetime?.toISOString() }
      : {}),
    created: item.created_at.toISOString(),
    updated: item.updated_at.toISOString(),
    ...(item.cloud_cover === null ? {} : { 'eo:cloud_cover': item.cloud_cover }),
    ...(item.gsd === null || item.gsd <= 0 ? {} : { gsd: item.gsd }),
    'service:source': sourceOf(item),
    'service:item_id': item.id,
  }
}

function stacAsset(asset: AssetRow, base: string): StacAsset & Record<string, unknown> {
  return {
    href: asset.external_href ?? assetHref(base, asset.item_id, asset.id),
    type: asset.media_type,
    ...(asset.title === null ? {} : { title: asset.title }),
    roles: asset.roles,
    ...(asset.checksum_sha256 === null ? {} : { 'file:checksum': multihash(asset.checksum_sha256) }),
    ...(asset.file_size_bytes === null ? {} : { 'file:size': asset.file_size_bytes }),
    ...(asset.raster === null ? {} : rasterMembers(asset.raster, asset.band_names)),
  }
}

function rasterMembers(facts: RasterFacts, names: readonly string[]): Record<string, unknown> {
  return {
    'proj:epsg': facts.epsg,
    ...(facts.epsg === null ? { 'proj:projjson': facts.projjson } : {}),
    'proj:shape': [facts.height, facts.width],
    'proj:transform': facts.transform,
    'proj:bbox': facts.box,
    'eo:bands': facts.bands.map((band, index) => ({
      name: names[index] ?? band.name ?? `b${index + 1}`,
      ...(band.common_name !== null && commonNames.has(band.common_name) ? { common_name: band.common_name } : {}),
    })),
    'raster:bands': facts.bands.map((band) => rasterBand(band, facts)),
  }
}

function rasterBand(band: BandFacts, facts: RasterFacts): Record<string, unknown> {
  return {
    data_type: facts.data_type,
    ...(facts.nodata === null ? {} : { nodata: facts.nodata }),
    ...(band.scale === 1 && band.offset === 0 ? {} : { scale: band.scale, offset: band.offset }),
    ...(band.statistics === null
      ? {}
      : {
          statistics: {
            minimum: band.statistics.minimum,
            maximum: band.statistics.maximum,
            mean: band.statistics.mean,
            stddev: band.statistics.stddev,
            valid_percent: band.statistics.valid_percent,
          },
        }),
  }
}

/** Those that the item was given, and ours for the members that are there. */
function extensionsOf(item: ItemRow, ...described: [Record<string, unknown>, Record<string, unknown>[]]): string[] {
  const [properties, assets] = described
  const prefixes = new Set([properties, ...assets].flatMap((members) => Object.keys(members)).map(prefixOf))
  const used = (Object.keys(extensions) as Prefix[]).filter((prefix) => prefixes.has(prefix))
  const foreign = item.stac_extensions.filter(
    (address) => !Object.values(extensions).some((own) => address.startsWith(own.split('/v')[0] ?? own)),
  )
  return [...new Set([...used.map((prefix) => extensions[prefix]), ...foreign])]
}

/** The licence in the letters that STAC allows. */
function licenseOf(item: ItemRow): { license?: string } {
  const { license } = item.properties
  return typeof license === 'string' ? { license: license.trim().replaceAll(/[^\w.+-]+/g, '-') || 'proprietary' } : {}
}

function linksOf(item: ItemRow, base: string): StacLink[] {
  const collection = `${base}/api/v1/projects/${item.project_id}/collections/${item.collection_id}`
  const { license = '' } = licenseOf(item)
  return [
    { rel: 'self', href: `${base}/v1/items/get_stac?item_id=${item.id}`, type: 'application/geo+json' },
    ...(item.collection_id === null
      ? []
      : ['parent', 'collection'].map((rel) => ({ rel, href: collection, type: 'application/json' }))),
    ...item.links,
    ...(isSpdx(license) && !item.links.some((link) => link.rel === 'license')
      ? [{ rel: 'license', href: spdxPage(license), type: 'text/html' }]
      : []),
    ...(item.order_id === null
      ? []
      : [{ rel: 'via', href: `${base}/v1/orders/get?order_id=${item.order_id}`, type: 'application/json' }]),
  ]
}
