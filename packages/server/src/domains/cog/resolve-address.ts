import type { Raster } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { isRaster, requireAsset, requireItem } from '../items/access.ts'
import { contentOf, rasterOf } from '../items/asset-source.ts'
import { drawnBands } from '../items/drawn-bands.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import { outsideRaster, stateOf } from '../items/outside-raster.ts'
import { bandFactsOf } from '../items/read-raster-facts.ts'
import { openBudget, type ReadKind } from '../items/read-limits.ts'
import { findAssetByBlob, type AssetRow } from '../items/store.assets.ts'
import { withProblems } from '../rendering/failures.ts'

/** A raster opened by its URL. */
export interface AddressedRaster {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  /** Changes with the pixels; null for a remote file without an ETag. */
  readonly checksum: string | null
}

const assetPath = /^\/api\/v1\/items\/([0-9a-f-]{36})\/assets\/([0-9a-f-]{36})(?:\/download)?$/i

/**
 * Opens the raster at a URL. Own URLs (of an asset, or signed) are read from the object store with the permissions of the
 * caller, whatever their signature; all others go through the safe fetcher.
 *
 * @param kind determines the read limits.
 */
export async function rasterAt(call: Call, address: string, kind: ReadKind): Promise<AddressedRaster> {
  const url = readAddress(call, address)
  const budget = openBudget(kind)
  const asset = await ownAsset(call, url)
  if (asset) {
    const raster = await withProblems(() => rasterOf(call, asset, budget))
    return { raster, bands: drawnBands(asset), checksum: await contentOf(call, asset) }
  }
  const raster = await withProblems(() => outsideRaster(call, url.href, budget))
  return { raster, bands: bandFactsOf(raster), checksum: stateOf(raster) }
}

function readAddress(call: Call, address: string): URL {
  const url = URL.canParse(address, call.baseUrl) ? new URL(address, call.baseUrl) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url
  throw validationProblem([{ path: 'url', message: 'is not an http or https URL' }])
}

/** The asset of an own URL; null for any other URL. */
async function ownAsset(call: Call, url: URL): Promise<AssetRow | null> {
  const named = below(url, `${call.baseUrl}/`)
  const ids = named === null ? null : assetPath.exec(`/${named}`)
  if (ids) {
    const item = await requireItem(call, ids[1]!, 'read')
    return requireRaster(await requireAsset(call, item, ids[2]!))
  }
  const path = below(url, await storeRoot(call))
  if (path !== null) {
    const asset = await findAssetByBlob(call.db, call.organization, path)
    if (!asset) throw new Problem('not-found', 'No asset has this URL.')
    await requireItem(call, asset.item_id, 'read')
    return requireRaster(asset)
  }
  if (named !== null) throw new Problem('not-found', 'No asset has this URL.')
  return null
}

/** The path of the URL below a root; null if it is not below it. */
function below(url: URL, root: string): string | null {
  const address = `${url.origin}${url.pathname}`
  return address.startsWith(root) ? address.slice(root.length) : null
}

const probe = 'probe'

/** The prefix of signed URLs of the object store: they end in the object path, whoever serves them. */
async function storeRoot(call: Call): Promise<string> {
  const terms = { expires_s: 1, file_name: probe, media_type: 'image/tiff', base: call.baseUrl }
  const { origin, pathname } = new URL((await call.blobs.signGet(probe, terms)).url)
  return `${origin}${pathname.slice(0, -probe.length)}`
}

function requireRaster(asset: AssetRow): AssetRow {
  if (isRaster(asset)) return asset
  throw new Problem('unsupported-raster', 'The asset at this URL is not a raster that can be rendered.')
}
