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

/** A raster found by its address. */
export interface AddressedRaster {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  /** A word that changes with the pixels; null for a file outside whose server names no state of it. */
  readonly checksum: string | null
}

const assetPath = /^\/api\/v1\/items\/([0-9a-f-]{36})\/assets\/([0-9a-f-]{36})(?:\/download)?$/i

/**
 * The raster at an address. Ours (an asset's, or a signed one) are read from the store with the rights of the caller,
 * whatever their signature says; every other address goes through the guarded fetcher.
 *
 * @param kind what the call may read of it.
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
  throw validationProblem([{ path: 'url', message: 'is no http or https address' }])
}

/** The asset that one of our addresses names; null for an address of somebody else. */
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
    if (!asset) throw new Problem('not-found', 'No asset has that address.')
    await requireItem(call, asset.item_id, 'read')
    return requireRaster(asset)
  }
  if (named !== null) throw new Problem('not-found', 'No asset has that address.')
  return null
}

/** What the path of the address adds to a root; null where it does not lie below it. */
function below(url: URL, root: string): string | null {
  const address = `${url.origin}${url.pathname}`
  return address.startsWith(root) ? address.slice(root.length) : null
}

const probe = 'probe'

/** What signed addresses of the store begin with: they end in the path of the object, whoever serves them. */
async function storeRoot(call: Call): Promise<string> {
  const terms = { expires_s: 1, file_name: probe, media_type: 'image/tiff', base: call.baseUrl }
  const { origin, pathname } = new URL((await call.blobs.signGet(probe, terms)).url)
  return `${origin}${pathname.slice(0, -probe.length)}`
}

function requireRaster(asset: AssetRow): AssetRow {
  if (isRaster(asset)) return asset
  throw new Problem('unsupported-raster', 'The asset at that address is no raster that can be drawn.')
}
