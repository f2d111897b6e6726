import type { StacAsset } from '@swath/contract/schemas/stac.ts'
import { encodeSha256Multihash } from '../item.ts'
import type { RasterBandMetadata, RasterMetadata } from '../assets/raster-metadata.ts'
import type { AssetRow } from '../assets/store.assets.ts'
import { addProjectionCode } from './projection-code.ts'

/** The columns from which the STAC asset is generated. */
export type StacAssetSource = Pick<
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
export const eoCommonNames: ReadonlySet<string> = new Set([
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
export const defaultMediaType = 'application/octet-stream'

/** Prefix of stored asset URLs of this platform; Features prepend their base URL. */
const assetPathPrefix = '/api/v1/items/'

/** The member `assets` of a Feature, with URLs relative to the base. */
export const toStacAssets = (assets: readonly StacAssetSource[]): Record<string, StacAsset & Members> =>
  Object.fromEntries(assets.map((asset) => [asset.key, toStacAsset(asset)]))

function toStacAsset(asset: StacAssetSource): StacAsset & Members {
  return {
    href: asset.external_href ?? `${assetPathPrefix}${asset.item_id}/assets/${asset.id}`,
    ...(asset.media_type === defaultMediaType ? {} : { type: asset.media_type }),
    ...(asset.title === null ? {} : { title: asset.title }),
    ...(asset.roles.length === 0 ? {} : { roles: [...asset.roles] }),
    ...renameEoBands(asset.stac, asset.band_names),
    ...(asset.checksum_sha256 === null ? {} : { 'file:checksum': encodeSha256Multihash(asset.checksum_sha256) }),
    ...(asset.file_size_bytes === null ? {} : { 'file:size': asset.file_size_bytes }),
    ...(asset.raster === null ? {} : toRasterMembers(asset.raster, asset.band_names)),
  }
}

/** The source members with the current band names. */
function renameEoBands(stac: Members, names: readonly string[]): Members {
  const bands = stac['eo:bands']
  if (!Array.isArray(bands) || bands.length !== names.length) return stac
  return { ...stac, 'eo:bands': bands.map((band: object, index) => ({ ...band, name: names[index] })) }
}

function toRasterMembers(metadata: RasterMetadata, names: readonly string[]): Members {
  return {
    'proj:epsg': metadata.epsg,
    ...(metadata.epsg === null ? { 'proj:projjson': metadata.projjson } : {}),
    'proj:shape': [metadata.height, metadata.width],
    'proj:transform': metadata.transform,
    'proj:bbox': metadata.box,
    'eo:bands': metadata.bands.map((band, index) => toEoBand(band, names[index] ?? band.name ?? `b${index + 1}`)),
    'raster:bands': metadata.bands.map((band) => toRasterBand(band, metadata)),
  }
}

/** A band whose name is a common name gets that `common_name`, overriding the source. */
function toEoBand(band: RasterBandMetadata, name: string): Members {
  const common_name = eoCommonNames.has(name) ? name : band.common_name
  return { name, ...(common_name !== null && eoCommonNames.has(common_name) ? { common_name } : {}) }
}

function toRasterBand(band: RasterBandMetadata, metadata: RasterMetadata): Members {
  return {
    data_type: metadata.data_type,
    ...(metadata.nodata === null ? {} : { nodata: metadata.nodata }),
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

/** Makes asset URLs absolute and adds what is derived from stored fields, modifying the caller's object. */
export function completeStacAssets(assets: Record<string, StacAsset>, base: string): Record<string, StacAsset> {
  for (const key in assets) {
    const asset = assets[key]!
    if (asset.href.startsWith(assetPathPrefix)) asset.href = base + asset.href
    addProjectionCode(asset as StacAsset & Members)
  }
  return assets
}
