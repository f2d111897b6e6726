import type { StandingOrderScene } from '@swath/contract/schemas/order.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../../platform/sandbox/due-rows.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface StandingOrderSceneKey {
  readonly organization: string
  readonly standing_order_id: string
  readonly source_id: string
  readonly scene_id: string
}

export interface StandingOrderSceneRow {
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

const keyCondition = ({ organization, standing_order_id, source_id, scene_id }: StandingOrderSceneKey) => sql`
  organization_id = ${organization} and standing_order_id = ${standing_order_id}
  and source_id = ${source_id} and scene_id = ${scene_id}`

export type NewStandingOrderScene = Pick<
  StandingOrderSceneRow,
  'source_id' | 'scene_id' | 'acquired_at' | 'status' | 'reason'
> & { readonly standing_order_id: string }

/** Adds scenes that were not added before; pending ones are due now. */
export async function insertStandingOrderScenes(
  tx: Tx,
  organization: string,
  scenes: readonly NewStandingOrderScene[],
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

export async function findStandingOrderScene(
  db: SqlStatementRunner,
  key: StandingOrderSceneKey,
): Promise<StandingOrderSceneRow | null> {
  const [row] = await db.query<StandingOrderSceneRow>(sql`
    select ${columns} from standing_order_scenes where ${keyCondition(key)}`)
  return row ?? null
}

/** Pending scenes of a standing order whose next attempt is due, the oldest first. */
export async function listPendingStandingOrderScenes(
  db: SqlStatementRunner,
  { organization, standing_order_id }: Pick<StandingOrderSceneKey, 'organization' | 'standing_order_id'>,
  { now, limit }: { readonly now: OrganizationTime; readonly limit: number },
): Promise<StandingOrderSceneRow[]> {
  return db.query<StandingOrderSceneRow>(sql`
    select ${columns} from standing_order_scenes
    where organization_id = ${organization} and standing_order_id = ${standing_order_id} and next_attempt_at <= ${now}
    order by next_attempt_at, acquired_at, scene_id
    limit ${limit}`)
}

/** Standing orders with a scene whose next attempt is due. */
export async function listDueStandingOrders(
  db: SqlStatementRunner,
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
export const dueStandingOrderSceneRows = (organization: string): DueRowsQuery => ({
  from: sql`standing_order_scenes`,
  where: sql`organization_id = ${organization}`,
  at: sql`next_attempt_at`,
})

export interface StandingOrderSceneChange {
  /** The status that the scene must have. */
  readonly from: StandingOrderSceneRow['status']
  readonly to: Exclude<StandingOrderSceneRow['status'], 'pending'>
  readonly reason?: string | null
  readonly credits?: number | null
  readonly order_id?: string | null
  readonly now: OrganizationTime
}

/** False, with nothing changed, if the scene has another status by now. */
export async function updateStandingOrderSceneStatus(
  tx: SqlStatementRunner,
  key: StandingOrderSceneKey,
  change: StandingOrderSceneChange,
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

export async function updateStandingOrderSceneAttempt(
  tx: SqlStatementRunner,
  key: StandingOrderSceneKey,
  { reason, next_attempt_at }: { readonly reason: string; readonly next_attempt_at: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update standing_order_scenes
    set attempts = attempts + 1, reason = ${reason}, next_attempt_at = ${next_attempt_at}
    where ${keyCondition(key)} and status = 'pending'`)
}

/** Newest first. */
export const listStandingOrderScenes = (
  db: SqlStatementRunner,
  {
    organization,
    standing_order_id,
    status,
    limit,
    offset,
  }: Pick<StandingOrderSceneKey, 'organization' | 'standing_order_id'> & {
    readonly status: StandingOrderSceneRow['status'] | null
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<StandingOrderSceneRow>> =>
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
