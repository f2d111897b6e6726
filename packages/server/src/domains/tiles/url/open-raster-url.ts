import type { Raster } from '@swath/raster'
import type { Call } from '../../../engine/call.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { isRenderable, requireAsset, requireItem } from '../../items/access.ts'
import { computeAssetContentTag, openAssetRaster } from '../asset-source.ts'
import { applyCurrentBandNames } from '../../items/assets/current-bands.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import { openRemoteRaster, computeRemoteContentTag } from './remote-raster.ts'
import { readBandMetadata } from '../../items/assets/read-raster-metadata.ts'
import { createRasterReadBudget, type RasterReadPurpose } from '../../items/search/read-limits.ts'
import { findAssetByBlob, type AssetRow } from '../../items/assets/store.assets.ts'
import { convertRasterFailures } from '../failures.ts'

/** A raster opened by its URL. */
export interface OpenedRaster {
  readonly raster: Raster
  readonly bands: readonly RasterBandMetadata[]
  /** Changes with the pixels; null for a remote file without an ETag. */
  readonly checksum: string | null
  /** The item of an own asset; null for a remote file. */
  readonly item_id: string | null
}

const assetPath = /^\/api\/v1\/items\/([0-9a-f-]{36})\/assets\/([0-9a-f-]{36})(?:\/download)?$/i

/**
 * Opens the raster at a URL. Own URLs (of an asset, or signed) are read from the object store with the permissions of the
 * caller, whatever their signature; all others go through the safe fetcher.
 *
 * @param kind determines the read limits.
 * @param path the field of the URL.
 */
export async function openRasterAtUrl(
  call: Call,
  rasterUrl: string,
  kind: RasterReadPurpose,
  path = 'url',
): Promise<OpenedRaster> {
  const url = parseRasterUrl(call, rasterUrl, path)
  const budget = createRasterReadBudget(kind)
  const asset = await findOwnAsset(call, url)
  if (asset) {
    const raster = await convertRasterFailures(() => openAssetRaster(call, asset, budget))
    const checksum = await computeAssetContentTag(call, asset)
    return { raster, bands: applyCurrentBandNames(asset), checksum, item_id: asset.item_id }
  }
  const raster = await convertRasterFailures(() => openRemoteRaster(call, url.href, budget))
  return { raster, bands: readBandMetadata(raster), checksum: computeRemoteContentTag(raster), item_id: null }
}

function parseRasterUrl(call: Call, rasterUrl: string, path: string): URL {
  const url = URL.canParse(rasterUrl, call.baseUrl) ? new URL(rasterUrl, call.baseUrl) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url
  throw validationProblem([{ path, message: 'is not an http or https URL' }])
}

/** The asset of an own URL; null for any other URL. */
async function findOwnAsset(call: Call, url: URL): Promise<AssetRow | null> {
  const ownPath = pathBelow(url, `${call.baseUrl}/`)
  const ids = ownPath === null ? null : assetPath.exec(`/${ownPath}`)
  if (ids) {
    const item = await requireItem(call, ids[1]!, 'read')
    return requireRasterAsset(await requireAsset(call, item, ids[2]!))
  }
  const path = pathBelow(url, await storageUrlPrefix(call))
  if (path !== null) {
    const asset = await findAssetByBlob(call.db, call.organization, path)
    if (!asset) throw new Problem('not-found', 'No asset has this URL.')
    await requireItem(call, asset.item_id, 'read')
    return requireRasterAsset(asset)
  }
  if (ownPath !== null) throw new Problem('not-found', 'No asset has this URL.')
  return null
}

/** The path of the URL below a root; null if it is not below it. */
function pathBelow(url: URL, root: string): string | null {
  const rasterUrl = `${url.origin}${url.pathname}`
  return rasterUrl.startsWith(root) ? rasterUrl.slice(root.length) : null
}

const probePath = 'probe'

/** The prefix of signed URLs of the object store: they end in the object path, whoever serves them. */
async function storageUrlPrefix(call: Call): Promise<string> {
  const urlOptions = { expires_s: 1, file_name: probePath, media_type: 'image/tiff', base: call.baseUrl }
  const { origin, pathname } = new URL((await call.blobs.signGet(probePath, urlOptions)).url)
  return `${origin}${pathname.slice(0, -probePath.length)}`
}

function requireRasterAsset(asset: AssetRow): AssetRow {
  if (isRenderable(asset)) return asset
  throw new Problem('unsupported-raster', 'The asset at this URL is not a raster that can be rendered.')
}
