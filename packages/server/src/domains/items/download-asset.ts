import { limits } from '@swath/contract/limits.ts'
import type { AssetDownload } from '@swath/contract/shapes/asset.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireDownloader } from '../billing/standing.ts'
import { journalAhead, requireBandwidth, takeDownloads } from '../usage/egress.ts'
import { subjectOf, writeTicket } from './asset-ticket.ts'
import { downloadName } from './download-name.ts'
import type { AssetRow } from './store.assets.ts'
import type { ItemRow } from './store.ts'

/**
 * A signed address for the bytes of an asset, counted as one download of the day. Bytes that a bucket sends past us are
 * journalled whole at once; ours are when they go. Throws `past-due`, `invalid-state`, `bandwidth-breaker` or
 * `download-cap`. Checks nobody's rights on the item.
 *
 * @param link the share link that it is given out through.
 */
export async function mintDownload(
  call: Call,
  item: Pick<ItemRow, 'name'>,
  asset: AssetRow,
  link: string | null = null,
): Promise<AssetDownload> {
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
  await call.transaction(async (tx) => {
    await takeDownloads(tx, call, [asset.id])
    if (call.blobs.kind === 's3') await journalAhead(tx, call, subjectOf(ticket), size ?? 0)
  })
  call.log.set({ asset: asset.id, asset_bytes: size })
  return {
    url: signed.url,
    expires_in_seconds: limits.signed_url_seconds,
    asset_id: asset.id,
    size_bytes: size,
    media_type,
  }
}
