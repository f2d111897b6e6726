import { type ItemToAdd, toNewAsset, toNewItem } from '../../../packages/server/src/domains/items/add-item.ts'
import { insertAssets } from '../../../packages/server/src/domains/items/assets/store.assets.ts'
import { insertItems } from '../../../packages/server/src/domains/items/store.ts'
import { serializeFeatures } from '../../../packages/server/src/domains/items/search/search-features.ts'
import { systemClock } from '../../../packages/server/src/platform/clock.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { closeAtEnd } from '../../prove/harness/resources.ts'
import { generateScenes } from './scenes.ts'

export interface ItemDestination {
  readonly organization: string
  readonly project: string
  readonly collections: readonly string[]
}

const batch_size = 500

/** Inserts seeded scenes with the statements of the product, and serializes their Features as the first search would. */
export async function loadScenes(
  database: Database,
  { organization, project, collections }: ItemDestination,
  count: number,
) {
  const start = performance.now()
  const created_at = systemClock.forOrganization(organization).now()
  const origin = { organization_id: organization, created_by: 'bench', created_at }
  const scenes = generateScenes(count, 1, project, collections)
  for (let done = 0; done < count; done += batch_size) {
    // Not take(), which would close the generator.
    const items = Array.from({ length: Math.min(batch_size, count - done) }, () => scenes.next().value as ItemToAdd)
    const rows = items.map((item) => ({ item, assets: (item.assets ?? []).map((asset) => toNewAsset(item.id, asset)) }))
    await database.unscoped.transaction(async (tx) => {
      await insertItems(
        tx,
        origin,
        rows.map(({ item, assets }) => toNewItem(item, assets, created_at, null)),
      )
      await insertAssets(
        tx,
        organization,
        rows.flatMap(({ assets }) => assets),
        created_at,
      )
    })
    await serializeFeatures(
      database.unscoped,
      organization,
      items.map(({ id }) => ({ id, bytes: 5000 })),
    )
  }
  console.log(`${count} items written in ${((performance.now() - start) / 1000).toFixed(0)} s`)
}

/** Shares so many items among tenants. `database_url` is that of a role of the service. */
export async function loadScenesOfTenants(
  database_url: string,
  tenants: readonly Omit<ItemDestination, 'collections'>[],
  items: number,
): Promise<void> {
  const options = { url: database_url, pool_size: 2, statement_timeout_ms: 60_000 }
  await using database = closeAtEnd(await openPostgres(options))
  for (const { organization, project } of tenants)
    await loadScenes(database, { organization, project, collections: [] }, Math.ceil(items / tenants.length))
}
