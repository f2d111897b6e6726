import { assetRow, itemRow, type AddedItem } from '../../../packages/server/src/domains/items/add-item.ts'
import { insertAssets } from '../../../packages/server/src/domains/items/store.assets.ts'
import { insertItems } from '../../../packages/server/src/domains/items/store.ts'
import { writeFeatures } from '../../../packages/server/src/domains/items/written-features.ts'
import { systemClock } from '../../../packages/server/src/platform/clock.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { makeScenes } from './scenes.ts'

export interface Holdings {
  readonly organization: string
  readonly project: string
  readonly collections: readonly string[]
}

const batch = 500

/** Inserts seeded scenes with the statements of the product, and serializes their Features as the first search would. */
export async function loadScenes(database: Database, { organization, project, collections }: Holdings, count: number) {
  const start = performance.now()
  const created_at = systemClock.of(organization).now()
  const origin = { organization_id: organization, created_by: 'bench', created_at }
  const scenes = makeScenes(count, 1, project, collections)
  for (let done = 0; done < count; done += batch) {
    // Not take(), which would close the generator.
    const items = Array.from({ length: Math.min(batch, count - done) }, () => scenes.next().value as AddedItem)
    const made = items.map((item) => ({ item, assets: (item.assets ?? []).map((asset) => assetRow(item.id, asset)) }))
    await database.across.transaction(async (tx) => {
      await insertItems(
        tx,
        origin,
        made.map(({ item, assets }) => itemRow(item, assets, created_at, null)),
      )
      await insertAssets(
        tx,
        organization,
        made.flatMap(({ assets }) => assets),
        created_at,
      )
    })
    await writeFeatures(
      database.across,
      organization,
      items.map(({ id }) => ({ id, bytes: 5000 })),
    )
  }
  console.log(`${count} items written in ${((performance.now() - start) / 1000).toFixed(0)} s`)
}
