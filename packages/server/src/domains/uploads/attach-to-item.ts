import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { AssetToAdd } from '../items/add-item.ts'
import { attachAsset } from '../items/assets/attach-asset.ts'
import type { ItemWriter } from '../items/metadata-limit.ts'
import { findAssetsOfItem } from '../items/assets/store.assets.ts'
import { recordProvenance } from '../provenance/record-provenance.ts'
import type { UploadRow } from './store.ts'

/**
 * Adds the assets of a file to the target item of the session: under the asset key of the session, else the first free one
 * of `data`, `data_2`, … Throws `not-found` if the item was deleted, `gone-retention`, `name-taken`.
 */
export async function attachToItem(
  tx: Tx,
  actor: ItemWriter,
  {
    session,
    item_id,
    assets,
  }: { readonly session: UploadRow; readonly item_id: string; readonly assets: readonly AssetToAdd[] },
): Promise<void> {
  const takenKeys = new Set((await findAssetsOfItem(tx, actor.organization, item_id)).map(({ key }) => key))
  for (const asset of assets) {
    const key = session.asset_key ?? findFreeAssetKey(takenKeys, asset.key)
    await attachAsset(tx, actor, item_id, { ...asset, key })
    takenKeys.add(key)
  }
  const [src, dst] = [
    { type: 'item', id: item_id },
    { type: 'upload', id: session.id },
  ]
  await recordProvenance(tx, actor, [{ relation: 'uploaded_by', src, dst }])
}

function findFreeAssetKey(takenKeys: ReadonlySet<string>, preferredKey: string): string {
  for (let number = 1; number <= 10_000; number++) {
    const key = number === 1 ? preferredKey : `${preferredKey}_${number}`
    if (!takenKeys.has(key)) return key
  }
  throw new Problem('name-taken', 'The item has too many assets.')
}
