import type { StacAsset } from '@swath/contract/shapes/stac.ts'
import { multihash } from './item.ts'
import type { BandFacts, RasterFacts } from './raster-facts.ts'
import type { AssetRow } from './store.assets.ts'

/** The columns from which the STAC asset is generated. */
export type DescribedAsset = Pick<
  AssetRow,
  | 'id'
  | 'item_id'
  | 'key'
  | 'title'
  | 'external_href'
  | 'media_type'
  | 'file_size_bytes'
  | 'checksum_sha256'
  | 'raster'
  | 'stac'
> & { readonly roles: readonly string[]; readonly band_names: readonly string[] }

type Members = Record<string, unknown>

/** The enumerated common names of the eo extension 1.1. */
export const commonNames: ReadonlySet<string> = new Set([
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

/** The media type of files whose source declares none; omitted in Features. */
export const unknownType = 'application/octet-stream'

/** Prefix of stored asset URLs of this platform; Features prepend their base URL. */
const root = '/api/v1/items/'

/** The member `assets` of a Feature, with URLs relative to the base. */
export const stacAssetsOf = (assets: readonly DescribedAsset[]): Record<string, StacAsset & Members> =>
  Object.fromEntries(assets.map((asset) => [asset.key, stacAssetOf(asset)]))

function stacAssetOf(asset: DescribedAsset): StacAsset & Members {
  return {
    href: asset.external_href ?? `${root}${asset.item_id}/assets/${asset.id}`,
    ...(asset.media_type === unknownType ? {} : { type: asset.media_type }),
    ...(asset.title === null ? {} : { title: asset.title }),
    ...(asset.roles.length === 0 ? {} : { roles: [...asset.roles] }),
    ...renamed(asset.stac, asset.band_names),
    ...(asset.checksum_sha256 === null ? {} : { 'file:checksum': multihash(asset.checksum_sha256) }),
    ...(asset.file_size_bytes === null ? {} : { 'file:size': asset.file_size_bytes }),
    ...(asset.raster === null ? {} : rasterMembers(asset.raster, asset.band_names)),
  }
}

/** The source members with the current band names. */
function renamed(stac: Members, names: readonly string[]): Members {
  const bands = stac['eo:bands']
  if (!Array.isArray(bands) || bands.length !== names.length) return stac
  return { ...stac, 'eo:bands': bands.map((band: object, index) => ({ ...band, name: names[index] })) }
}

function rasterMembers(facts: RasterFacts, names: readonly string[]): Members {
  return {
    'proj:epsg': facts.epsg,
    ...(facts.epsg === null ? { 'proj:projjson': facts.projjson } : {}),
    'proj:shape': [facts.height, facts.width],
    'proj:transform': facts.transform,
    'proj:bbox': facts.box,
    'eo:bands': facts.bands.map((band, index) => eoBand(band, names[index] ?? band.name ?? `b${index + 1}`)),
    'raster:bands': facts.bands.map((band) => rasterBand(band, facts)),
  }
}

/** A band whose name is a common name gets that `common_name`, overriding the source. */
function eoBand(band: BandFacts, name: string): Members {
  const common_name = commonNames.has(name) ? name : band.common_name
  return { name, ...(common_name !== null && commonNames.has(common_name) ? { common_name } : {}) }
}

function rasterBand(band: BandFacts, facts: RasterFacts): Members {
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

/** Makes asset URLs absolute, modifying the caller's object. */
export function withBase(assets: Record<string, StacAsset>, base: string): Record<string, StacAsset> {
  for (const key in assets) {
    const asset = assets[key]!
    if (asset.href.startsWith(root)) asset.href = base + asset.href
  }
  return assets
}
