import { limits } from '@swath/contract/limits.ts'
import type { AssetDownload } from '@swath/contract/shapes/asset.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireDownloader } from '../billing/standing.ts'
import { journalAhead, requireBandwidth, takeDownloads } from '../usage/egress.ts'
import { subjectOf, writeTicket } from './asset-ticket.ts'
import { downloadName } from './download-name.ts'
import { rememberGiven } from './given-downloads.ts'
import type { AssetRow } from './store.assets.ts'
import type { ItemRow } from './store.ts'

const given = rememberGiven()

/** Says to whom an address is given, and for what. */
const nameOf = ({ organization, principal, baseUrl }: Call, { id, blob_path }: AssetRow): string =>
  JSON.stringify([organization, principal.kind, principal.id, baseUrl, id, blob_path])

/**
 * A signed address for somebody who may come for it many times, such as a reader of parts of a file: the one that was
 * given before, while there is time left in it, and counted once. Throws as `mintDownload` does, which it asks otherwise.
 */
export async function giveDownload(call: Call, item: Pick<ItemRow, 'name'>, asset: AssetRow): Promise<AssetDownload> {
  const [name, now] = [nameOf(call, asset), call.clock.now(call.organization)]
  const before = asset.ready ? given.find(name, now) : null
  if (before === null) {
    const download = await mintDownload(call, item, asset)
    given.note(name, download, now)
    return download
  }
  await requireDownloader(call)
  await requireBandwidth(call.db, call)
  call.log.set({ asset: asset.id, asset_bytes: asset.file_size_bytes })
  return before
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
