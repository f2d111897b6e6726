import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface VisualizationProfileRow {
  readonly id: string
  readonly item_id: string
  readonly name: string
  readonly layer: 'sensor' | 'auto' | 'user'
  readonly type: 'rgb' | 'singleband' | 'multiband' | 'expression'
  readonly is_default: boolean
  readonly sort_order: number
  readonly config: Readonly<Record<string, unknown>>
  readonly asset_key: string | null
  readonly version: number
  readonly created_by: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`
  p.id, p.item_id, p.name, p.layer, p.type, p.is_default, p.sort_order, p.config, p.asset_key, p.version, p.created_by,
  p.created_at, p.updated_at`

/** The order of the profiles of an item: by sort_order, then oldest first. */
const profileOrder = sql`p.sort_order, p.created_at, p.id`

/** Serializes changes of the profiles of an item, so that at most one of them is the default. */
export async function lockVisualizationProfiles(tx: Tx, organization: string, item_id: string): Promise<void> {
  await tx.query(sql`
    select id from items where organization_id = ${organization} and id = ${item_id} for no key update`)
}

/** Violates the unique index of names if the item has a profile with this name. */
export async function insertVisualizationProfile(
  tx: Tx,
  organization: string,
  profile: VisualizationProfileRow,
): Promise<void> {
  await tx.query(sql`
    insert into visualization_profiles (organization_id, id, item_id, name, layer, type, is_default, sort_order, config,
                                        asset_key, version, created_by, created_at, updated_at)
    values (${organization}, ${profile.id}, ${profile.item_id}, ${profile.name}, ${profile.layer}, ${profile.type},
            ${profile.is_default}, ${profile.sort_order}, ${sql.json(profile.config)}, ${profile.asset_key},
            ${profile.version}, ${profile.created_by}, ${profile.created_at}, ${profile.updated_at})`)
}

/** Violates the unique index of names if the item has another profile with this name. */
export async function updateVisualizationProfile(
  tx: Tx,
  organization: string,
  profile: VisualizationProfileRow,
): Promise<void> {
  await tx.query(sql`
    update visualization_profiles
    set name = ${profile.name}, type = ${profile.type}, is_default = ${profile.is_default},
        sort_order = ${profile.sort_order}, config = ${sql.json(profile.config)}, asset_key = ${profile.asset_key},
        version = ${profile.version}, updated_at = ${profile.updated_at}
    where organization_id = ${organization} and id = ${profile.id}`)
}

export async function deleteVisualizationProfile(tx: Tx, organization: string, id: string): Promise<void> {
  await tx.query(sql`delete from visualization_profiles where organization_id = ${organization} and id = ${id}`)
}

/** Clears the default of the item. */
export async function markNoDefaultVisualizationProfile(
  tx: Tx,
  organization: string,
  item_id: string,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update visualization_profiles set is_default = false, updated_at = ${now}
    where organization_id = ${organization} and item_id = ${item_id} and is_default`)
}

/** Makes the first remaining profile the default. */
export async function updateNextDefaultVisualizationProfile(
  tx: Tx,
  organization: string,
  item_id: string,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update visualization_profiles set is_default = true, updated_at = ${now}
    where organization_id = ${organization} and id = (
      select p.id from visualization_profiles p
      where p.organization_id = ${organization} and p.item_id = ${item_id}
      order by ${profileOrder} limit 1)`)
}

export async function findVisualizationProfile(
  db: SqlStatementRunner,
  organization: string,
  item_id: string,
  id: string,
): Promise<VisualizationProfileRow | null> {
  const [row] = await db.query<VisualizationProfileRow>(sql`
    select ${columns} from visualization_profiles p
    where p.organization_id = ${organization} and p.item_id = ${item_id} and p.id = ${id}`)
  return row ?? null
}

/** The profile with this id or name, ignoring case; the id takes precedence. */
export async function findVisualizationProfileByIdOrName(
  db: SqlStatementRunner,
  organization: string,
  item_id: string,
  idOrName: string,
): Promise<VisualizationProfileRow | null> {
  const [row] = await db.query<VisualizationProfileRow>(sql`
    select ${columns} from visualization_profiles p
    where p.organization_id = ${organization} and p.item_id = ${item_id}
      and (p.id::text = lower(${idOrName}) or lower(p.name) = lower(${idOrName}))
    order by p.id::text = lower(${idOrName}) desc limit 1`)
  return row ?? null
}

export async function findDefaultVisualizationProfile(
  db: SqlStatementRunner,
  organization: string,
  item_id: string,
): Promise<VisualizationProfileRow | null> {
  const [row] = await db.query<VisualizationProfileRow>(sql`
    select ${columns} from visualization_profiles p
    where p.organization_id = ${organization} and p.item_id = ${item_id} and p.is_default`)
  return row ?? null
}

export const listVisualizationProfiles = (
  db: SqlStatementRunner,
  organization: string,
  item_id: string,
): Promise<VisualizationProfileRow[]> =>
  db.query<VisualizationProfileRow>(sql`
    select ${columns} from visualization_profiles p
    where p.organization_id = ${organization} and p.item_id = ${item_id}
    order by ${profileOrder}`)
