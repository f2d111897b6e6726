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
 * A signed address for somebody who may come for it many times, such as a reader of parts of a file: the one that was
 * given before, by whatever process, while there is time left in it, and counted once. Throws as `mintDownload` does.
 */
export async function giveDownload(call: Call, item: Named, asset: AssetRow): Promise<AssetDownload> {
  const known = asset.ready ? await findGivenDownload(call, asset) : null
  if (known) return giveAgain(call, asset, known)
  const minted = await mint(call, item, asset, null, (tx, signed) => keepGivenDownload(tx, call, asset, signed))
  if (minted) return minted
  const theirs = await findGivenDownload(call, asset)
  invariant(theirs, 'another address was kept a moment ago')
  return giveAgain(call, asset, theirs)
}

async function giveAgain(call: Call, asset: AssetRow, signed: SignedAddress): Promise<AssetDownload> {
  await requireDownloader(call)
  await requireBandwidth(call.db, call)
  const left_ms = signed.expires_at.getTime() - call.clock.process.now().getTime()
  return downloadOf(call, asset, signed, Math.floor(left_ms / 1000))
}

/**
 * A signed address for the bytes of an asset, counted as one download of the day. Bytes that a bucket sends past us are
 * journalled whole at once; ours are when they go. Throws `past-due`, `invalid-state`, `bandwidth-breaker` or
 * `download-cap`. Checks nobody's rights on the item.
 *
 * @param link the share link that it is given out through.
 */
export async function mintDownload(
  call: Call,
  item: Named,
  asset: AssetRow,
  link: string | null = null,
): Promise<AssetDownload> {
  const minted = await mint(call, item, asset, link, () => Promise.resolve(true))
  invariant(minted, 'nobody else gives this address out')
  return minted
}

/** @param keep decides in the transaction that counts; where it answers false nothing is counted and nothing given out. */
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
    throw new Problem('invalid-state', 'The bytes of the asset are not in storage.')
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
