import type { VisualizationProfile } from '@swath/contract/schemas/profile.ts'
import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { replaceUniqueViolation } from '../../platform/database/unique-violation.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import {
  findVisualizationProfile,
  insertVisualizationProfile,
  listVisualizationProfiles,
  type VisualizationProfileRow,
} from './store.ts'

/** The maximum number of profiles of an item. */
export const max_profiles_per_item = 200

/** The representation of a profile. */
export const toVisualizationProfile = (row: VisualizationProfileRow): VisualizationProfile => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const createVisualizationProfileNotFoundProblem = (idOrName: string): Problem =>
  new Problem('not-found', `The item has no visualization profile "${idOrName.slice(0, 200)}".`)

/** The profile of the item with this id; throws `not-found`. */
export async function requireVisualizationProfile(
  db: SqlStatementRunner,
  organization: string,
  item_id: string,
  id: string,
): Promise<VisualizationProfileRow> {
  const row = await findVisualizationProfile(db, organization, item_id, id)
  if (!row) throw createVisualizationProfileNotFoundProblem(id)
  return row
}

/** Converts a unique violation of the name to `name-taken`. */
export const withUniqueVisualizationProfileName = <T>(name: string, work: Promise<T>): Promise<T> =>
  replaceUniqueViolation(
    work,
    () => new Problem('name-taken', `The item already has a visualization profile named "${name}".`),
  )

/** Makes a new item of one band be drawn in a range of values and a colormap. */
export async function addDefaultVisualizationProfile(
  tx: Tx,
  actor: Actor,
  item_id: string,
  { name, range, colormap }: { readonly name: string; readonly range: readonly number[]; readonly colormap: string },
): Promise<void> {
  const now = actor.clock.now()
  await insertVisualizationProfile(tx, actor.organization, {
    id: newId(),
    item_id,
    name,
    layer: 'auto',
    type: 'singleband',
    is_default: true,
    sort_order: 0,
    config: { bands: [1], rescale: [...range], colormap },
    asset_key: null,
    version: 1,
    created_by: actor.principal.id,
    created_at: now,
    updated_at: now,
  })
}

/**
 * Copies the profiles of an item to another item without profiles whose assets have the same keys: with new ids, at version
 * 1, created by the actor.
 */
export async function copyVisualizationProfiles(
  tx: Tx,
  actor: Actor,
  from_item: string,
  to_item: string,
): Promise<void> {
  const now = actor.clock.now()
  for (const row of await listVisualizationProfiles(tx, actor.organization, from_item)) {
    await insertVisualizationProfile(tx, actor.organization, {
      ...row,
      id: newId(),
      item_id: to_item,
      version: 1,
      created_by: actor.principal.id,
      created_at: now,
      updated_at: now,
    })
  }
}
