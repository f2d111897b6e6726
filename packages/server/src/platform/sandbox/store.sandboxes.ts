import type { ProcessClockTime } from '../clock.ts'
import type { SqlStatementRunner, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'

export interface SandboxRow {
  readonly organization_id: string
  readonly seed: string
  readonly now: Date
  readonly resets: number
  readonly created_at: Date
}

export async function insertSandbox(
  tx: Tx,
  row: { readonly organization: string; readonly seed: string; readonly now: Date },
): Promise<void> {
  await tx.query(sql`
    insert into sandboxes (organization_id, seed, now, created_at)
    values (${row.organization}, ${row.seed}, ${row.now}, ${row.now})`)
}

export async function findSandbox(db: SqlStatementRunner, organization: string): Promise<SandboxRow | null> {
  const [row] = await db.query<SandboxRow>(sql`
    select organization_id, seed, now, resets, created_at from sandboxes where organization_id = ${organization}`)
  return row ?? null
}

/** The time of a sandbox. */
export async function findSandboxTime(db: SqlStatementRunner, organization: string): Promise<Date | null> {
  const [row] = await db.query<{ now: Date }>(
    sql.prepared(sql`select now from sandboxes where organization_id = ${organization}`),
  )
  return row?.now ?? null
}

/** The same, which no other transaction moves until this one ends. */
export async function lockAndFindSandboxTime(tx: Tx, organization: string): Promise<Date | null> {
  const [row] = await tx.query<{ now: Date }>(
    sql.prepared(sql`select now from sandboxes where organization_id = ${organization} for share`),
  )
  return row?.now ?? null
}

/** Moves the time forward, never back, as a step of the advance that holds the lease; false if it has lost it. */
export async function updateSandboxTime(
  db: SqlStatementRunner,
  organization: string,
  { lease, now }: { readonly lease: string; readonly now: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    update sandboxes set now = greatest(now, ${now}::timestamptz), advance_steps = advance_steps + 1
    where organization_id = ${organization} and lease_id = ${lease} returning organization_id`)
  return rows.length > 0
}

/** The last advance of a clock. */
export interface SandboxClockAdvance {
  readonly now: Date
  /** Null before the first one. */
  readonly target: Date | null
  /** The due times at which the clock has stopped. */
  readonly steps: number
  /** False if it has ended, or its process has. */
  readonly is_running: boolean
}

export async function findSandboxClockAdvance(
  db: SqlStatementRunner,
  organization: string,
  processTime: ProcessClockTime,
): Promise<SandboxClockAdvance | null> {
  const [row] = await db.query<SandboxClockAdvance>(sql`
    select now, advance_target as target, advance_steps as steps,
           coalesce(lease_until > ${processTime} and advance_target is not null, false) as is_running
    from sandboxes where organization_id = ${organization}`)
  return row ?? null
}

export interface SandboxLease {
  readonly id: string
  readonly processTime: ProcessClockTime
  readonly until: ProcessClockTime
}

/** Takes or renews the lease; false while other work holds it. `target`: for an advance to this time. */
export async function claimSandboxLease(
  db: SqlStatementRunner,
  organization: string,
  { id: lease, processTime, until }: SandboxLease,
  target: Date | null,
): Promise<boolean> {
  const rows = await db.query(sql`
    update sandboxes set lease_id = ${lease}, lease_until = ${until}, advance_target = ${target},
           advance_steps = case when lease_id = ${lease} then advance_steps else 0 end
    where organization_id = ${organization}
      and (lease_id is null or lease_id = ${lease} or lease_until < ${processTime}) returning organization_id`)
  return rows.length > 0
}

export async function releaseSandboxLease(db: SqlStatementRunner, organization: string, lease: string): Promise<void> {
  await db.query(sql`
    update sandboxes set lease_id = null, lease_until = null
    where organization_id = ${organization} and lease_id = ${lease}`)
}

export async function updateSandboxResetCount(tx: Tx, organization: string): Promise<void> {
  await tx.query(sql`update sandboxes set resets = resets + 1 where organization_id = ${organization}`)
}
