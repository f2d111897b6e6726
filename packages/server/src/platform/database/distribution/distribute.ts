import type { Database, DbConnection, SqlStatementRunner, Tx } from '../database.ts'
import { logsPartitionedByDay } from '../partitions/log-partitions.ts'
import { getSchemaOwnerConnection, getStatementRunner } from '../raw.ts'
import { readSchemaCatalog } from '../schema/catalog.ts'
import { sql } from '../sql.ts'
import { runOnNodes } from './node-commands.ts'
import { requireNodeSettings } from './node-settings.ts'
import { findRunningRebalance, setOwnerPolicies } from './rebalance.ts'
import { planTableDistribution, databaseDistributionRefused, type DroppedDatabaseTrigger } from './plan.ts'

/** The changes that a run made; a second run makes none. */
export interface TableDistributionReport {
  readonly reference: readonly string[]
  readonly tenant: readonly string[]
  readonly triggers: readonly DroppedDatabaseTrigger[]
  /** Tables that were distributed before, and whose policy did not name the shard. */
  readonly policies: readonly string[]
  /** Functions that were marked leakproof on each node. */
  readonly leakproof: readonly string[]
}

/**
 * Distributes the tenant tables over the nodes of Citus by their organization, after the migrations, as the role that owns the schema.
 * Each table in a transaction of its own: a run that was interrupted is continued by the next one. Triggers are dropped, because
 * distributed tables have none.
 *
 * Throws `distribution-refused` without the extension, if a trigger has no replacement, or if a node refuses a command.
 */
export async function distributeTenantTables(database: Database): Promise<TableDistributionReport> {
  const owner = getSchemaOwnerConnection(database)
  await requireCitus(owner)
  await requireNodeSettings(owner)
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
  let colocated_with = plan.colocated_with
  for (const table of plan.tenant) {
    const triggers = plan.triggers.filter((trigger) => trigger.table === table)
    await owner.transaction((tx) => distributeTable(tx, table, triggers, colocated_with))
    colocated_with ??= table
  }
  const policies = await replaceFormerPolicies(owner)
  // A rebalance that ended with its process has left the owner without them.
  await setOwnerPolicies(owner, true)
  const { reference, tenant, triggers } = plan
  return { reference, tenant, triggers, policies, leakproof: await markLeakproofOnNodes(owner) }
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

/** Scripts have the time that it takes to copy a table. */
const copyInTransaction = (owner: DbConnection, text: string): Promise<unknown> =>
  owner.transaction((tx) => getStatementRunner(tx).script(text))

async function distributeTable(
  tx: Tx,
  table: string,
  triggers: readonly DroppedDatabaseTrigger[],
  colocated_with: string | null,
): Promise<void> {
  for (const { name } of triggers) await getStatementRunner(tx).script(`drop trigger "${name}" on public."${table}"`)
  await setPolicy(tx, table)
  const neighbour = colocated_with === null ? 'default' : `public."${colocated_with}"`
  await getStatementRunner(tx).script(
    `select create_distributed_table('public."${table}"', 'organization_id', colocate_with => '${neighbour}')`,
  )
}

/** Repeats on each node what `swath_mark_leakproof` did on this one: searches run under the policies there. */
async function markLeakproofOnNodes(owner: SqlStatementRunner): Promise<string[]> {
  const functions = await owner.query<{ name: string }>(sql`
    select p.oid::regprocedure::text as name from pg_catalog.pg_proc p
    where p.proleakproof and p.pronamespace = 'public'::regnamespace
      and p.proargtypes[0] = 'public.geometry'::regtype and p.proargtypes[1] = 'public.geometry'::regtype
    order by 1`)
  for (const { name } of functions)
    await runOnNodes(owner, `alter function ${name} leakproof`, `a node does not mark ${name} leakproof`)
  return functions.map(({ name }) => name)
}
