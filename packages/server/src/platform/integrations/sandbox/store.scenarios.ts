import type { SqlStatementRunner, Tx } from '../../database/database.ts'
import type { DueRowsQuery } from '../../sandbox/due-rows.ts'
import { sql } from '../../database/sql.ts'

export interface SandboxScenarioRow {
  readonly id: string
  readonly kind: string
  /** Null: any host. */
  readonly host: string | null
  readonly parameters: Readonly<Record<string, unknown>>
  readonly remaining: number
  readonly created_at: Date
}

const columns = sql`id, kind, host, parameters, remaining, created_at`

export async function insertSandboxScenario(tx: Tx, organization: string, row: SandboxScenarioRow): Promise<void> {
  await tx.query(sql`
    insert into sandbox_scenarios (organization_id, id, kind, host, parameters, remaining, created_at)
    values (${organization}, ${row.id}, ${row.kind}, ${row.host}, ${sql.json(row.parameters)}, ${row.remaining}, ${row.created_at})`)
}

/** Scenarios that still apply, oldest first. */
export const listSandboxScenarios = (db: SqlStatementRunner, organization: string): Promise<SandboxScenarioRow[]> =>
  db.query<SandboxScenarioRow>(sql`
    select ${columns} from sandbox_scenarios
    where organization_id = ${organization} and remaining > 0 order by id limit 1000`)

/** Uses up the oldest scenario of the kinds once; null if there is none for this host. */
export async function claimSandboxScenario(
  db: SqlStatementRunner,
  organization: string,
  kinds: readonly string[],
  host: string | null,
): Promise<SandboxScenarioRow | null> {
  const [row] = await db.query<SandboxScenarioRow>(sql`
    update sandbox_scenarios set remaining = remaining - 1
    where organization_id = ${organization} and id = (
      select id from sandbox_scenarios
      where organization_id = ${organization} and kind = any(${kinds}::text[]) and remaining > 0 and (host is null or host = ${host})
      order by id limit 1 for update)
    returning ${columns}`)
  return row ?? null
}

/** Scenarios of the kinds that still apply; they are due at once. */
export const dueSandboxScenarioRows = (organization: string, kinds: readonly string[]): DueRowsQuery => ({
  from: sql`sandbox_scenarios`,
  where: sql`organization_id = ${organization} and kind = any(${kinds}::text[]) and remaining > 0`,
  at: sql`created_at`,
  stops_clock: false,
})

export async function deleteSandboxScenarios(tx: Tx, organization: string): Promise<void> {
  await tx.query(sql`delete from sandbox_scenarios where organization_id = ${organization}`)
  await tx.query(sql`delete from sandbox_host_orders where organization_id = ${organization}`)
}

/** The simulated delivery of one order by a host. */
export interface SandboxHostOrder {
  /** Null: at once. */
  readonly ready_at: Date | null
  /** The number of scenes, from the last one, without files. */
  readonly missing_scenes: number
  /** The reason why it delivers nothing; null if it delivers. */
  readonly refusal: string | null
  /** The number of further deliveries with wrong checksums. */
  readonly wrong_checksums: number
}

export interface SandboxHostReference {
  readonly organization: string
  readonly host: string
  readonly reference: string
}

export async function insertSandboxHostOrder(
  db: SqlStatementRunner,
  { organization, host, reference }: SandboxHostReference,
  order: SandboxHostOrder,
): Promise<void> {
  await db.query(sql`
    insert into sandbox_host_orders (organization_id, host, reference, ready_at, missing_scenes, refusal, wrong_checksums)
    values (${organization}, ${host}, ${reference}, ${order.ready_at}, ${order.missing_scenes}, ${order.refusal},
            ${order.wrong_checksums})
    on conflict (organization_id, host, reference) do nothing`)
}

export async function findSandboxHostOrder(
  db: SqlStatementRunner,
  { organization, host, reference }: SandboxHostReference,
): Promise<SandboxHostOrder | null> {
  const [row] = await db.query<SandboxHostOrder>(sql`
    select ready_at, missing_scenes, refusal, wrong_checksums from sandbox_host_orders
    where organization_id = ${organization} and host = ${host} and reference = ${reference}`)
  return row ?? null
}

export async function updateSandboxWrongChecksumsLeft(
  db: SqlStatementRunner,
  { organization, host, reference }: SandboxHostReference,
): Promise<void> {
  await db.query(sql`
    update sandbox_host_orders set wrong_checksums = wrong_checksums - 1
    where organization_id = ${organization} and host = ${host} and reference = ${reference} and wrong_checksums > 0`)
}
