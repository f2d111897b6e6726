import type { Database, DbConnection, SqlStatementRunner, Tx } from '../database.ts'
import { logsPartitionedByDay } from '../partitions/log-partitions.ts'
import { getSchemaOwnerConnection, getStatementRunner } from '../raw.ts'
import { readSchemaCatalog } from '../schema/catalog.ts'
import { sql } from '../sql.ts'
import { markLeakproofOnNodes } from './leakproof-functions.ts'
import { removeLocalRows } from './local-rows.ts'
import { requireNodeSettings } from './node-settings.ts'
import { findRunningRebalance, setOwnerPolicies } from './rebalance.ts'
import {
  planTableDistribution,
  databaseDistributionRefused,
  type DroppedDatabaseTrigger,
  type TableDistributionPlan,
} from './plan.ts'

/** The changes that a run made; a second run makes none. */
export interface TableDistributionReport {
  readonly reference: readonly string[]
  readonly tenant: readonly string[]
  /** Of each tenant table. */
  readonly shards: number
  readonly triggers: readonly DroppedDatabaseTrigger[]
  /** Tables that were distributed before, and whose policy did not name the shard. */
  readonly policies: readonly string[]
  /** Tables whose rows were on the coordinator, too, until now. */
  readonly emptied: readonly string[]
  /** Functions that were marked leakproof on each node. */
  readonly leakproof: readonly string[]
}

export interface TableDistributionOptions {
  /** Of each tenant table; tables that are distributed later have as many as the first ones. */
  readonly shards: number
}

/** Copying a table takes longer the more rows it has, and cannot be continued: a day instead of the minutes of a migration. */
const copy_limit_ms = 86_400_000

/**
 * Distributes the tenant tables over the nodes of Citus by their organization, after the migrations, as the role that owns the schema.
 * Each table in a transaction of its own: a run that was interrupted is continued by the next one. Triggers are dropped, because
 * distributed tables have none. Rows that were copied to the nodes are removed from the coordinator at the end.
 *
 * Throws `distribution-refused` without the extension, if a trigger has no replacement, or if a node refuses a command.
 */
export async function distributeTenantTables(
  database: Database,
  { shards }: TableDistributionOptions,
): Promise<TableDistributionReport> {
  const owner = getSchemaOwnerConnection(database)
  await requireCitus(owner)
  await requireNodeSettings(owner)
  // Before anything is copied: if this role may not mark them, the operator knows it now.
  const leakproof = await markLeakproofOnNodes(owner)
  if ((await findRunningRebalance(owner)) !== null)
    throw databaseDistributionRefused('shards are being moved: repeat this when npm run db -- rebalance has ended')
  // Shards are partitions already: partitions of each shard would only be more tables. Copies what there is.
  await copyInTransaction(owner, 'select public.swath_partition_items(0)')
  for (const log of logsPartitionedByDay) await copyInTransaction(owner, `select public.swath_join_days('${log}')`)
  await owner.query(plannedOrganizationFunction)
  const plan = planTableDistribution(await readSchemaCatalog(owner), await listDistributed(owner))
  await checkTriggers(owner, plan.triggers)
  for (const table of plan.reference)
    await owner.query(sql`select create_reference_table(${`public.${table}`}::regclass)`)
  await distributeTables(owner, plan, shards)
  const policies = await replaceFormerPolicies(owner)
  const emptied = await removeLocalRows(owner)
  const { reference, tenant, triggers } = plan
  return { reference, tenant, shards: await countShards(owner), triggers, policies, emptied, leakproof }
}

async function requireCitus(owner: SqlStatementRunner): Promise<void> {
  const [found] = await owner.query<{ exists: boolean }>(
    sql`select exists (select 1 from pg_catalog.pg_proc where proname = 'create_distributed_table')`,
  )
  if (!found?.exists)
    throw databaseDistributionRefused('the extension citus is not installed: create extension citus, then repeat this')
}

async function listDistributed(owner: SqlStatementRunner): Promise<ReadonlySet<string>> {
  const rows = await owner.query<{ name: string }>(sql`
    select c.relname::text as name from pg_dist_partition p join pg_catalog.pg_class c on c.oid = p.logicalrelid`)
  return new Set(rows.map(({ name }) => name))
}

/** Throws unless the work of every trigger is done by something else. */
async function checkTriggers(owner: SqlStatementRunner, triggers: readonly DroppedDatabaseTrigger[]): Promise<void> {
  const unknown = triggers.filter(({ replacement }) => replacement === 'none')
  if (unknown.length > 0)
    throw databaseDistributionRefused(
      `distributed tables have no triggers, and nothing replaces these: ${unknown.map(({ table, name }) => `${name} on ${table}`).join(', ')}`,
    )
  const refusing = triggers.filter(({ replacement }) => replacement === 'privileges')
  const changes = refusing.flatMap(({ table, events }) => events.map((event) => ({ table, event })))
  const [open] = await owner.query<{ role: string; event: string; table: string }>(sql`
    select r.role, c.event, c.table
    from unnest(${changes.map(({ table }) => table)}::text[], ${changes.map(({ event }) => event)}::text[]) as c ("table", event)
    cross join unnest(array['swath_app', 'swath_across']) as r (role)
    where has_table_privilege(r.role, format('public.%I', c.table), c.event)
    order by 3, 2, 1 limit 1`)
  if (open)
    throw databaseDistributionRefused(
      `${open.role} may ${open.event} rows of ${open.table}, which only a trigger prevents`,
    )
}

/**
 * The organization of the session as a constant of the plan, by which Citus finds the shard of every table of a statement,
 * whatever it joins by. Wrong in a plan that is kept: statements of organizations are planned each time on Citus.
 */
const plannedOrganizationFunction = sql`
  create or replace function swath_planned_organization() returns uuid language sql immutable parallel safe
  as $$ select current_setting('app.organization_id')::uuid $$`

/** The second condition is read when the statement runs: with a plan of another organization it finds nothing. */
const setPolicy = (tx: Tx, table: string): Promise<unknown> =>
  getStatementRunner(tx).script(`
    alter policy tenant on public."${table}" using (
      organization_id = public.swath_planned_organization() and organization_id = current_setting('app.organization_id')::uuid)`)

/** Replaces the policies of tables that an earlier version distributed. */
async function replaceFormerPolicies(owner: DbConnection): Promise<string[]> {
  const rows = await owner.query<{ name: string }>(sql`
    select c.relname::text as name
    from pg_dist_partition d
    join pg_catalog.pg_class c on c.oid = d.logicalrelid
    join pg_catalog.pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
    where pg_get_expr(p.polqual, c.oid) not like '%swath_planned_organization%'
    order by 1`)
  for (const { name } of rows) await owner.transaction((tx) => setPolicy(tx, name))
  return rows.map(({ name }) => name)
}

const copyInTransaction = (owner: DbConnection, text: string): Promise<unknown> =>
  owner.transaction((tx) => getStatementRunner(tx).script(text, copy_limit_ms))

/**
 * Distributes the tenant tables. Citus copies their rows and checks their foreign keys as the owner, so the policies of these tables do not
 * hold for it meanwhile, unless it is a superuser; those of the service are never off.
 */
async function distributeTables(owner: DbConnection, plan: TableDistributionPlan, shards: number): Promise<void> {
  const isBound = await isBoundByPolicies(owner)
  let colocated_with = plan.colocated_with
  try {
    if (isBound && plan.tenant.length > 0) await setOwnerPolicies(owner, false)
    for (const table of plan.tenant) {
      const triggers = plan.triggers.filter((trigger) => trigger.table === table)
      await owner.transaction((tx) => distributeTable(tx, { table, triggers, colocated_with, shards, isBound }))
      colocated_with ??= table
    }
  } finally {
    // Also after a run, or a rebalance, that ended with its process and left the owner without them.
    await setOwnerPolicies(owner, true)
  }
}

async function isBoundByPolicies(owner: SqlStatementRunner): Promise<boolean> {
  const [role] = await owner.query<{ is_bound: boolean }>(
    sql`select not (rolsuper or rolbypassrls) as is_bound from pg_catalog.pg_roles where rolname = current_user`,
  )
  return role!.is_bound
}

interface TableToDistribute extends TableDistributionOptions {
  readonly table: string
  readonly triggers: readonly DroppedDatabaseTrigger[]
  /** Null for the first table. */
  readonly colocated_with: string | null
  /** Whether policies hold for the owner. */
  readonly isBound: boolean
}

async function distributeTable(
  tx: Tx,
  { table, triggers, colocated_with, shards, isBound }: TableToDistribute,
): Promise<void> {
  if (isBound) await getStatementRunner(tx).script(`alter table public."${table}" no force row level security`)
  for (const { name } of triggers) await getStatementRunner(tx).script(`drop trigger "${name}" on public."${table}"`)
  await setPolicy(tx, table)
  const neighbour = colocated_with === null ? 'default' : `public."${colocated_with}"`
  // By itself: Citus sends the whole message that has a setting to the nodes.
  await getStatementRunner(tx).run(`set local citus.shard_count = ${shards}`, [])
  await getStatementRunner(tx).script(
    `select create_distributed_table('public."${table}"', 'organization_id', colocate_with => '${neighbour}')`,
    copy_limit_ms,
  )
}

/** The shards of each tenant table: all have as many, since shards of the same organizations are together. */
async function countShards(owner: SqlStatementRunner): Promise<number> {
  const [most] = await owner.query<{ shards: number }>(sql`
    select count(*)::integer as shards from pg_dist_shard s group by s.logicalrelid order by 1 desc limit 1`)
  return most?.shards ?? 0
}
