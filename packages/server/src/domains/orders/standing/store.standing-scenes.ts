import type { StandingOrderScene } from '@swath/contract/schemas/order.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../../platform/sandbox/due-rows.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface StandingSceneKey {
  readonly organization: string
  readonly standing_order_id: string
  readonly source_id: string
  readonly scene_id: string
}

export interface StandingSceneRow {
  readonly source_id: string
  readonly scene_id: string
  readonly acquired_at: Date
  readonly status: StandingOrderScene['status']
  readonly reason: string | null
  readonly credits: number | null
  readonly order_id: string | null
  readonly attempts: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`
  source_id, scene_id, acquired_at, status, reason, credits, order_id, attempts, created_at, updated_at`

const keyCondition = ({ organization, standing_order_id, source_id, scene_id }: StandingSceneKey) => sql`
  organization_id = ${organization} and standing_order_id = ${standing_order_id}
  and source_id = ${source_id} and scene_id = ${scene_id}`

export type NewStandingScene = Pick<
  StandingSceneRow,
  'source_id' | 'scene_id' | 'acquired_at' | 'status' | 'reason'
> & { readonly standing_order_id: string }

/** Adds scenes that were not added before; pending ones are due now. */
export async function insertStandingScenes(
  tx: Tx,
  organization: string,
  scenes: readonly NewStandingScene[],
  now: OrganizationTime,
): Promise<void> {
  if (scenes.length === 0) return
  const values = scenes.map(
    ({ standing_order_id, source_id, scene_id, acquired_at, status, reason }) => sql`
      (${organization}::uuid, ${standing_order_id}::uuid, ${source_id}::text, ${scene_id}::text,
       ${acquired_at}::timestamptz, ${status}::text, ${reason}::text,
       ${status === 'pending' ? now : null}::timestamptz, ${now}::timestamptz, ${now}::timestamptz)`,
  )
  await tx.query(sql`
    insert into standing_order_scenes
      (organization_id, standing_order_id, source_id, scene_id, acquired_at, status, reason, next_attempt_at,
       created_at, updated_at)
    values ${sql.join(values, sql`, `)}
    on conflict do nothing`)
}

export async function findStandingOrderScene(db: Queryable, key: StandingSceneKey): Promise<StandingSceneRow | null> {
  const [row] = await db.query<StandingSceneRow>(sql`
    select ${columns} from standing_order_scenes where ${keyCondition(key)}`)
  return row ?? null
}

/** Pending scenes of a standing order whose next attempt is due, the oldest first. */
export async function listPendingStandingScenes(
  db: Queryable,
  { organization, standing_order_id }: Pick<StandingSceneKey, 'organization' | 'standing_order_id'>,
  { now, limit }: { readonly now: OrganizationTime; readonly limit: number },
): Promise<StandingSceneRow[]> {
  return db.query<StandingSceneRow>(sql`
    select ${columns} from standing_order_scenes
    where organization_id = ${organization} and standing_order_id = ${standing_order_id} and next_attempt_at <= ${now}
    order by next_attempt_at, acquired_at, scene_id
    limit ${limit}`)
}

/** Standing orders with a scene whose next attempt is due. */
export async function listDueStandingOrders(
  db: Queryable,
  organization: string,
  now: OrganizationTime,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select standing_order_id as id from standing_order_scenes
    where organization_id = ${organization} and next_attempt_at <= ${now}
    group by standing_order_id
    order by min(next_attempt_at), standing_order_id`)
  return rows.map(({ id }) => id)
}

/** The rows of pending scenes that are due to be ordered. */
export const dueStandingSceneRows = (organization: string): DueRowsQuery => ({
  from: sql`standing_order_scenes`,
  where: sql`organization_id = ${organization}`,
  at: sql`next_attempt_at`,
})

export interface StandingSceneChange {
  /** The status that the scene must have. */
  readonly from: StandingSceneRow['status']
  readonly to: Exclude<StandingSceneRow['status'], 'pending'>
  readonly reason?: string | null
  readonly credits?: number | null
  readonly order_id?: string | null
  readonly now: OrganizationTime
}

/** False, with nothing changed, if the scene has another status by now. */
export async function updateStandingSceneStatus(
  tx: Queryable,
  key: StandingSceneKey,
  change: StandingSceneChange,
): Promise<boolean> {
  const { from, to, reason = null, credits = null, order_id = null, now } = change
  const rows = await tx.query(sql`
    update standing_order_scenes
    set status = ${to}, reason = ${reason}, credits = coalesce(${credits}::bigint, credits), order_id = ${order_id},
        next_attempt_at = null, updated_at = ${now}
    where ${keyCondition(key)} and status = ${from}
    returning scene_id`)
  return rows.length > 0
}

export async function updateStandingSceneAttempt(
  tx: Queryable,
  key: StandingSceneKey,
  { reason, next_attempt_at }: { readonly reason: string; readonly next_attempt_at: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update standing_order_scenes
    set attempts = attempts + 1, reason = ${reason}, next_attempt_at = ${next_attempt_at}
    where ${keyCondition(key)} and status = 'pending'`)
}

/** Newest first. */
export const listStandingScenes = (
  db: Queryable,
  {
    organization,
    standing_order_id,
    status,
    limit,
    offset,
  }: Pick<StandingSceneKey, 'organization' | 'standing_order_id'> & {
    readonly status: StandingSceneRow['status'] | null
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<StandingSceneRow>> =>
  selectPage(db, {
    columns,
    from: sql`standing_order_scenes`,
    where: sql`
      organization_id = ${organization} and standing_order_id = ${standing_order_id}
      and (${status}::text is null or status = ${status})`,
    orderBy: sql`created_at desc, acquired_at desc, source_id, scene_id`,
    limit,
    offset,
  })
