import { Problem } from '../../engine/problem.ts'
import type { AssetRow } from '../items/assets/store.assets.ts'
import type { JobPlanSource } from './job-plan.ts'

/**
 * The asset of a source as it was when the job was planned. Throws `not-found` if it was deleted since (null), and
 * `invalid-state` if its bytes were replaced.
 */
export function requireUnchangedSource(
  asset: AssetRow | null,
  { item_id, asset_key, sha256 }: JobPlanSource,
): AssetRow {
  const name = `The asset "${asset_key}" of the item ${item_id}`
  if (!asset) throw new Problem('not-found', `${name} was deleted after the job was created.`)
  if (sha256 !== null && asset.checksum_sha256 !== sha256)
    throw new Problem('invalid-state', `${name} was replaced after the job was created.`)
  return asset
}
