import { createRequire } from 'node:module'
import { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import type { StatementRunner } from '../database/driver.ts'
import { getDatabaseDriver, getSchemaOwnerConnection, getStatementRunner } from '../database/raw.ts'
import { withPrivilegeErrors } from '../database/schema-owner.ts'
import { sql } from '../database/sql.ts'
import { createPgBossDatabase, pgBossSchema } from './boss.ts'

const required_schema_version = (
  createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } }
).pgboss.schema

/**
 * The app role may add tasks inside a transaction of its organization and nothing else: it cannot read the tasks of other
 * organizations. All other queue operations run as the across role.
 */
const grantStatements = `
  grant select on ${pgBossSchema}.queue to swath_app;
  grant insert, select (id) on ${pgBossSchema}.job, ${pgBossSchema}.job_common to swath_app;
  grant select, insert, update, delete on all tables in schema ${pgBossSchema} to swath_across;
  grant usage on schema ${pgBossSchema} to swath_app, swath_across;`

interface QueueSchemaState {
  /** The version of the existing tables; null if there are none. */
  readonly version: number | null
  readonly granted: boolean
}

/** Reads the catalog first: a role that is not the owner has no privileges of its own, and the owner may not be a member of the other. */
async function readSchemaState(database: Database): Promise<QueueSchemaState> {
  const [schemaRow] = await getSchemaOwnerConnection(database).query<{ granted: boolean; readable: boolean }>(sql`
    select exists (
        select 1 from aclexplode(n.nspacl) a join pg_catalog.pg_roles r on r.oid = a.grantee
        where a.privilege_type = 'USAGE' and r.rolname = 'swath_across') as granted,
      has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable
    from pg_catalog.pg_namespace n
    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = 'version'
    where n.nspname = ${pgBossSchema}`)
  if (!schemaRow) return { version: null, granted: false }
  const reader = schemaRow.readable ? getSchemaOwnerConnection(database) : database.unscoped
  const [row] = await reader.query<{ version: number }>(sql`select version from boss.version`)
  return { version: row?.version ?? null, granted: schemaRow.granted }
}

/** The tables of the queue stay on the coordinator of Citus, which would send their types and functions to its nodes. */
const keepOnCoordinator = (runner: StatementRunner): StatementRunner => ({
  ...runner,
  script: (text) => runner.script(`set local citus.enable_ddl_propagation = off; ${text}`),
})

/** Lets pg-boss create its tables, or migrate them to its version. */
async function buildSchema(database: Database): Promise<void> {
  const runner = getStatementRunner(getSchemaOwnerConnection(database))
  const backend = getDatabaseDriver(database).queue_backend
  const boss = new PgBoss({
    schema: pgBossSchema,
    db: createPgBossDatabase(backend === 'citus' ? keepOnCoordinator(runner) : runner),
    backend,
    supervise: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
  })
  // The error is also thrown.
  boss.on('error', () => undefined)
  try {
    await boss.start()
  } finally {
    await boss.stop({ graceful: false, close: false })
  }
  await buildIndexes(database)
}

/** Runs the index builds that a pg-boss update defers, because nobody may change the schema while the queue runs. */
async function buildIndexes(database: Database): Promise<void> {
  const owner = getSchemaOwnerConnection(database)
  const pendingCommands = await owner.query<{ id: string; command: string }>(
    sql`select id, command from boss.bam where status <> 'completed' order by created_on`,
  )
  for (const { id, command } of pendingCommands) {
    await getStatementRunner(owner).run(command, [])
    await owner.query(sql`update boss.bam set status = 'completed', completed_on = now() where id = ${id}`)
  }
}

/**
 * Creates or updates the tables of the queue if they are missing or of an earlier version. Throws `privileges-missing` if
 * that is necessary and this role may not.
 */
export async function ensureQueueSchema(database: Database): Promise<void> {
  const { version, granted } = await readSchemaState(database)
  if (version === required_schema_version && granted) return
  await withPrivilegeErrors(async () => {
    if (version !== required_schema_version) await buildSchema(database)
    await getStatementRunner(getSchemaOwnerConnection(database)).script(`
      begin;
      select pg_advisory_xact_lock(7221094158302002);
      ${grantStatements}
      commit`)
  })
}
