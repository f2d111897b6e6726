import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { AddedAsset } from '../items/add-item.ts'
import { attachAsset } from '../items/attach-asset.ts'
import type { ItemWriter } from '../items/metadata-limit.ts'
import { assetsOf } from '../items/store.assets.ts'
import { record } from '../provenance/record.ts'
import type { UploadRow } from './store.ts'

/**
 * Adds the assets of a file to the target item of the session: under the asset key of the session, else the first free one
 * of `data`, `data_2`, … Throws `not-found` if the item was deleted, `gone-retention`, `name-taken`.
 */
export async function attachToItem(
  tx: Tx,
  actor: ItemWriter,
  session: UploadRow,
  item_id: string,
  assets: readonly AddedAsset[],
): Promise<void> {
  const taken = new Set((await assetsOf(tx, actor.organization, item_id)).map(({ key }) => key))
  for (const asset of assets) {
    const key = session.asset_key ?? freeKey(taken, asset.key)
    await attachAsset(tx, actor, item_id, { ...asset, key })
    taken.add(key)
  }
  const [src, dst] = [
    { type: 'item', id: item_id },
    { type: 'upload', id: session.id },
  ]
  await record(tx, actor, [{ relation: 'uploaded_by', src, dst }])
}

function freeKey(taken: ReadonlySet<string>, wanted: string): string {
  for (let number = 1; number <= 10_000; number++) {
    const key = number === 1 ? wanted : `${wanted}_${number}`
    if (!taken.has(key)) return key
  }
  throw new Problem('name-taken', 'The item has too many assets.')
}
