import { limits } from '@swath/contract/limits.ts'
import type { AssetDownload } from '@swath/contract/schemas/asset.ts'
import type { Call } from '../../../engine/call.ts'
import { assertInvariant, Problem } from '../../../engine/problem.ts'
import type { SignedUrl } from '../../../platform/blobs/blobs.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { requireCanDownload } from '../../billing/account-status.ts'
import { recordEgressUpFront, requireEgressWithinQuota, recordDownloads } from '../../usage/egress.ts'
import { toEgressSubject, formatDownloadGrant } from './download-grant.ts'
import { formatDownloadFileName } from './download-name.ts'
import { findIssuedDownload, saveIssuedDownload } from './issued-downloads.ts'
import type { AssetRow } from './store.assets.ts'
import type { ItemRow } from '../store.ts'

type NamedItem = Pick<ItemRow, 'name'>

/**
 * A signed URL for a client that requests it repeatedly, such as a range reader: the URL issued before, by any process,
 * while it is still valid for some minutes; counted once. Throws like `issueDownloadUrl`.
 */
export async function getDownloadUrl(call: Call, item: NamedItem, asset: AssetRow): Promise<AssetDownload> {
  const cached = asset.ready ? await findIssuedDownload(call, asset) : null
  if (cached) return reuseDownloadUrl(call, asset, cached)
  const issued = await issueUrl(call, {
    item,
    asset,
    link: null,
    expires_s: limits.signed_url_seconds,
    claim: (tx, signed) => saveIssuedDownload(tx, call, asset, signed),
  })
  if (issued) return issued
  const concurrent = await findIssuedDownload(call, asset)
  assertInvariant(concurrent, 'a concurrent call saved a URL')
  return reuseDownloadUrl(call, asset, concurrent)
}

async function reuseDownloadUrl(call: Call, asset: AssetRow, signed: SignedUrl): Promise<AssetDownload> {
  await requireCanDownload(call)
  await requireEgressWithinQuota(call.db, call)
  const remaining_ms = signed.expires_at.getTime() - call.clock.process.now().getTime()
  return toAssetDownload(call, asset, signed, Math.floor(remaining_ms / 1000))
}

/**
 * Issues a signed URL for the bytes of an asset, counted as one download of the day. Egress from an S3 bucket bypasses
 * this server and is recorded in full now; our own egress is recorded when sent. Throws `past-due`, `invalid-state`,
 * `bandwidth-breaker` or `download-cap`. Checks no permissions on the item.
 *
 * @param options.link the share link through which it is issued.
 * @param options.expires_s how long the URL is valid, in seconds.
 */
export async function issueDownloadUrl(
  call: Call,
  item: NamedItem,
  asset: AssetRow,
  {
    link = null,
    expires_s = limits.signed_url_seconds,
  }: { readonly link?: string | null; readonly expires_s?: number } = {},
): Promise<AssetDownload> {
  const issued = await issueUrl(call, { item, asset, link, expires_s, claim: () => Promise.resolve(true) })
  assertInvariant(issued, 'a URL that is not cached is always issued')
  return issued
}

/** @param claim runs in the counting transaction; if it returns false, nothing is counted and no URL is issued. */
async function issueUrl(
  call: Call,
  {
    item,
    asset,
    link,
    expires_s,
    claim,
  }: {
    readonly item: NamedItem
    readonly asset: AssetRow
    readonly link: string | null
    readonly expires_s: number
    readonly claim: (tx: Tx, signed: SignedUrl) => Promise<boolean>
  },
): Promise<AssetDownload | null> {
  await requireCanDownload(call)
  const { blob_path, media_type, file_size_bytes: size } = asset
  if (!asset.ready || blob_path === null) {
    throw new Problem('invalid-state', 'The bytes of the asset are not stored.')
  }
  await requireEgressWithinQuota(call.db, call)
  const grant = { asset: asset.id, link }
  const signed = await call.blobs.signGet(blob_path, {
    expires_s,
    file_name: formatDownloadFileName(item, asset),
    media_type,
    base: call.baseUrl,
    ticket: formatDownloadGrant(grant),
  })
  const isIssued = await call.transaction(async (tx) => {
    if (!(await claim(tx, signed))) return false
    await recordDownloads(tx, call, [asset.id])
    if (call.blobs.kind === 's3') await recordEgressUpFront(tx, call, toEgressSubject(grant), size ?? 0)
    return true
  })
  return isIssued ? toAssetDownload(call, asset, signed, expires_s) : null
}

function toAssetDownload(call: Call, asset: AssetRow, { url }: SignedUrl, expires_in_seconds: number): AssetDownload {
  const { id, file_size_bytes, media_type } = asset
  call.log.set({ asset: id, asset_bytes: file_size_bytes })
  return { url, expires_in_seconds, asset_id: id, size_bytes: file_size_bytes, media_type }
}
