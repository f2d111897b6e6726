import { limits } from '@swath/contract/limits.ts'
import type { AssetDownload } from '@swath/contract/shapes/asset.ts'
import type { Call } from '../../engine/call.ts'
import { invariant, Problem } from '../../engine/problem.ts'
import type { SignedAddress } from '../../platform/blobs/blobs.ts'
import type { Tx } from '../../platform/database/database.ts'
import { requireDownloader } from '../billing/standing.ts'
import { journalAhead, requireBandwidth, takeDownloads } from '../usage/egress.ts'
import { subjectOf, writeTicket } from './asset-ticket.ts'
import { downloadName } from './download-name.ts'
import { findGivenDownload, keepGivenDownload } from './given-downloads.ts'
import type { AssetRow } from './store.assets.ts'
import type { ItemRow } from './store.ts'

type Named = Pick<ItemRow, 'name'>

/**
 * A signed URL for a client that requests it repeatedly, such as a range reader: the URL issued before, by any process,
 * while it is still valid for some minutes; counted once. Throws like `issueDownloadUrl`.
 */
export async function giveDownload(call: Call, item: Named, asset: AssetRow): Promise<AssetDownload> {
  const known = asset.ready ? await findGivenDownload(call, asset) : null
  if (known) return giveAgain(call, asset, known)
  const minted = await mint(call, item, asset, null, (tx, signed) => keepGivenDownload(tx, call, asset, signed))
  if (minted) return minted
  const theirs = await findGivenDownload(call, asset)
  invariant(theirs, 'a concurrent call saved a URL')
  return giveAgain(call, asset, theirs)
}

async function giveAgain(call: Call, asset: AssetRow, signed: SignedAddress): Promise<AssetDownload> {
  await requireDownloader(call)
  await requireBandwidth(call.db, call)
  const left_ms = signed.expires_at.getTime() - call.clock.process.now().getTime()
  return downloadOf(call, asset, signed, Math.floor(left_ms / 1000))
}

/**
 * Issues a signed URL for the bytes of an asset, counted as one download of the day. Egress from an S3 bucket bypasses
 * this server and is recorded in full now; our own egress is recorded when sent. Throws `past-due`, `invalid-state`,
 * `bandwidth-breaker` or `download-cap`. Checks no permissions on the item.
 *
 * @param link the share link through which it is issued.
 */
export async function mintDownload(
  call: Call,
  item: Named,
  asset: AssetRow,
  link: string | null = null,
): Promise<AssetDownload> {
  const minted = await mint(call, item, asset, link, () => Promise.resolve(true))
  invariant(minted, 'a URL that is not cached is always issued')
  return minted
}

/** @param claim runs in the counting transaction; if it returns false, nothing is counted and no URL is issued. */
async function mint(
  call: Call,
  item: Named,
  asset: AssetRow,
  link: string | null,
  keep: (tx: Tx, signed: SignedAddress) => Promise<boolean>,
): Promise<AssetDownload | null> {
  await requireDownloader(call)
  const { blob_path, media_type, file_size_bytes: size } = asset
  if (!asset.ready || blob_path === null) {
    throw new Problem('invalid-state', 'The bytes of the asset are not stored.')
  }
  await requireBandwidth(call.db, call)
  const ticket = { asset: asset.id, link }
  const signed = await call.blobs.signGet(blob_path, {
    expires_s: limits.signed_url_seconds,
    file_name: downloadName(item, asset),
    media_type,
    base: call.baseUrl,
    ticket: writeTicket(ticket),
  })
  const given = await call.transaction(async (tx) => {
    if (!(await keep(tx, signed))) return false
    await takeDownloads(tx, call, [asset.id])
    if (call.blobs.kind === 's3') await journalAhead(tx, call, subjectOf(ticket), size ?? 0)
    return true
  })
  return given ? downloadOf(call, asset, signed, limits.signed_url_seconds) : null
}

function downloadOf(call: Call, asset: AssetRow, { url }: SignedAddress, expires_in_seconds: number): AssetDownload {
  const { id, file_size_bytes, media_type } = asset
  call.log.set({ asset: id, asset_bytes: file_size_bytes })
  return { url, expires_in_seconds, asset_id: id, size_bytes: file_size_bytes, media_type }
}
