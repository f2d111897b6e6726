import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { DbConnection, SqlStatementRunner, Tx } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'

/** A request as it is stored: times are texts. */
export interface StoredTaskingRequest {
  readonly geometry: AreaGeometry
  readonly max_cloud_pct: number | null
}

export interface ConstellationTaskRow {
  readonly world_id: string
  readonly id: string
  readonly product: string
  readonly request: StoredTaskingRequest
  readonly replan: boolean
  readonly placed_at: Date
  readonly cancelled_at: Date | null
  readonly released_at: Date | null
}

/** The fields of an opportunity that the scene acquired at it needs. */
export interface StoredOpportunity {
  readonly id: string
  readonly sensor: string
  readonly footprint: AreaGeometry
  readonly off_nadir_deg: number
  readonly view_azimuth_deg: number
  /** Absent from bookings of earlier versions. */
  readonly incidence_deg?: number
  readonly sun_elevation_deg: number
  readonly sun_azimuth_deg: number
}

export interface CollectRow {
  readonly world_id: string
  readonly task_id: string
  readonly number: number
  readonly satellite: string
  readonly acquired_at: Date
  readonly cloud_pct: number
  readonly is_accepted: boolean
  readonly is_shared: boolean
  readonly opportunity: StoredOpportunity
}

/** A pass that a task occupies. */
export type OccupiedPass = Pick<CollectRow, 'task_id' | 'satellite' | 'acquired_at'>

const taskColumns = sql`world_id, id, product, request, replan, placed_at, cancelled_at, released_at`

export async function findConstellationTask(
  db: SqlStatementRunner,
  world: string,
  id: string,
): Promise<ConstellationTaskRow | null> {
  const [row] = await db.query<ConstellationTaskRow>(sql`
    select ${taskColumns} from constellation_tasks where world_id = ${world} and id = ${id}`)
  return row ?? null
}

export async function lockConstellationTask(tx: Tx, world: string, id: string): Promise<ConstellationTaskRow | null> {
  const [row] = await tx.query<ConstellationTaskRow>(sql`
    select ${taskColumns} from constellation_tasks where world_id = ${world} and id = ${id} for update`)
  return row ?? null
}

/** False if the task exists. Waits for a concurrent insertion of the same one. */
export async function insertConstellationTask(tx: Tx, row: ConstellationTaskRow): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into constellation_tasks (${taskColumns})
    values (${row.world_id}, ${row.id}, ${row.product}, ${sql.json(row.request)}, ${row.replan}, ${row.placed_at},
            ${row.cancelled_at}, ${row.released_at})
    on conflict do nothing returning id`)
  return rows.length > 0
}

/** Serializes bookings of these satellites in one world until the end of the transaction. */
export async function lockSatelliteSchedules(tx: Tx, world: string, satellites: readonly string[]): Promise<void> {
  // One order for everybody, so that two transactions cannot wait for each other.
  for (const satellite of satellites.toSorted()) {
    await tx.query(sql`
      insert into constellation_schedules (world_id, satellite) values (${world}, ${satellite}) on conflict do nothing`)
    await tx.query(sql`
      select satellite from constellation_schedules where world_id = ${world} and satellite = ${satellite} for update`)
  }
}

/** Passes that tasks occupy between two times. */
export async function listOccupiedPasses(
  db: SqlStatementRunner,
  world: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<OccupiedPass[]> {
  return db.query<OccupiedPass>(sql`
    select task_id, satellite, acquired_at from constellation_collects
    where world_id = ${world} and not is_shared and acquired_at between ${from} and ${to}`)
}

export async function insertConstellationTaskCollect(tx: Tx, row: CollectRow): Promise<void> {
  await tx.query(sql`
    insert into constellation_collects
      (world_id, task_id, number, satellite, acquired_at, cloud_pct, is_accepted, is_shared, opportunity)
    values (${row.world_id}, ${row.task_id}, ${row.number}, ${row.satellite}, ${row.acquired_at}, ${row.cloud_pct},
            ${row.is_accepted}, ${row.is_shared}, ${sql.json(row.opportunity)})`)
}

/** The collects of a task in their order. */
export async function listConstellationTaskCollects(
  db: SqlStatementRunner,
  world: string,
  task: string,
): Promise<CollectRow[]> {
  return db.query<CollectRow>(sql`
    select world_id, task_id, number, satellite, acquired_at, cloud_pct, is_accepted, is_shared, opportunity
    from constellation_collects where world_id = ${world} and task_id = ${task} order by number`)
}

/** Marks a task as cancelled and gives its planned passes back. */
export async function markConstellationTaskCancelled(tx: Tx, world: string, id: string, now: Date): Promise<void> {
  await tx.query(sql`
    update constellation_tasks set cancelled_at = ${now} where world_id = ${world} and id = ${id}`)
  await tx.query(sql`
    delete from constellation_collects where world_id = ${world} and task_id = ${id} and acquired_at > ${now}`)
}

export async function markConstellationSceneReleased(
  db: SqlStatementRunner,
  world: string,
  id: string,
  now: Date,
): Promise<void> {
  await db.query(sql`
    update constellation_tasks set released_at = ${now}
    where world_id = ${world} and id = ${id} and released_at is null and cancelled_at is null`)
}

/** Records when the study of an order was first requested, and returns that time. */
export async function insertStudyTime(db: DbConnection, world: string, id: string, now: Date): Promise<Date> {
  await db.query(sql`
    insert into constellation_studies (world_id, id, requested_at) values (${world}, ${id}, ${now})
    on conflict do nothing`)
  const [row] = await db.query<{ requested_at: Date }>(sql`
    select requested_at from constellation_studies where world_id = ${world} and id = ${id}`)
  return row?.requested_at ?? now
}

export async function deleteTaskingHostEnvironment(tx: Tx, world: string): Promise<void> {
  await tx.query(sql`delete from constellation_collects where world_id = ${world}`)
  await tx.query(sql`delete from constellation_tasks where world_id = ${world}`)
  await tx.query(sql`delete from constellation_studies where world_id = ${world}`)
  await tx.query(sql`delete from constellation_schedules where world_id = ${world}`)
}
