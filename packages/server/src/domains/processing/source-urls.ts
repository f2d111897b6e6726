import type { Call } from '../../engine/call.ts'
import { requireItem } from '../items/access.ts'
import { issueDownloadUrl } from '../items/assets/download-url.ts'
import { findAsset } from '../items/assets/store.assets.ts'
import type { PlanSource } from './job-plan.ts'
import { requireUnchanged } from './unchanged-source.ts'

/** A source of a job that a program without a token of ours can download. */
export interface SourceUrl {
  readonly item_id: string
  readonly asset_key: string
  readonly url: string
  /** Null for a file hosted elsewhere. */
  readonly sha256: string | null
}

/**
 * Issues download URLs of the sources of a job, counted as other downloads are. The caller may not be the one who created the
 * job, so that each source is authorized again. Throws what `requireItem` and `issueDownloadUrl` throw, and `not-found` or
 * `invalid-state` for an asset that was deleted or replaced.
 */
export async function issueSourceUrls(
  call: Call,
  sources: readonly PlanSource[],
  expires_s: number,
): Promise<SourceUrl[]> {
  const readable = []
  // Every source is checked before the first URL is counted.
  for (const source of sources) readable.push(await requireSource(call, source))
  const issued: SourceUrl[] = []
  for (const { item, asset, source } of readable) {
    const { item_id, asset_key, sha256 } = source
    const url = asset.blob_path
      ? (await issueDownloadUrl(call, item, asset, { expires_s })).url
      : (asset.external_href ?? '')
    issued.push({ item_id, asset_key, url, sha256 })
  }
  return issued
}

async function requireSource(call: Call, source: PlanSource) {
  const item = await requireItem(call, source.item_id, 'read')
  const asset = await findAsset(call.db, call.organization, source.item_id, source.asset_id)
  return { item, asset: requireUnchanged(asset, source), source }
}
