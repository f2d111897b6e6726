import { createRequire } from 'node:module'
import { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { driverOf, ownerOf, runnerOf } from '../database/raw.ts'
import { changeSchema } from '../database/schema-owner.ts'
import { sql } from '../database/sql.ts'
import { adapt, bossSchema } from './boss.ts'

const wanted = (createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } }).pgboss.schema

/**
 * The app role may add work inside a bound transaction, and no more than add: the data of the tasks of other organizations stays
 * unreadable to it. Everything else of the queue works across organizations.
 */
const grants = `
  grant select on ${bossSchema}.queue to swath_app;
  grant insert, select (id) on ${bossSchema}.job, ${bossSchema}.job_common to swath_app;
  grant select, insert, update, delete on all tables in schema ${bossSchema} to swath_across;
  grant usage on schema ${bossSchema} to swath_app, swath_across;`

interface State {
  /** Of the tables that are there; null where there are none. */
  readonly version: number | null
  readonly granted: boolean
}

/** The catalog is asked first: a role that is not the owner's reads nothing by itself. */
async function readState(database: Database): Promise<State> {
  const [found] = await ownerOf(database).query<{ granted: boolean }>(sql`
    select exists (
      select 1 from aclexplode(n.nspacl) a join pg_catalog.pg_roles r on r.oid = a.grantee
      where a.privilege_type = 'USAGE' and r.rolname = 'swath_across') as granted
    from pg_catalog.pg_namespace n
    where n.nspname = ${bossSchema} and exists (
      select 1 from pg_catalog.pg_class c where c.relnamespace = n.oid and c.relname = 'version')`)
  if (!found) return { version: null, granted: false }
  const reader = found.granted ? database.across : ownerOf(database)
  const [row] = await reader.query<{ version: number }>(sql`select version from boss.version`)
  return { version: row?.version ?? null, granted: found.granted }
}

/** The library makes its tables, or brings them up to its version. */
async function build(database: Database): Promise<void> {
  const boss = new PgBoss({
    schema: bossSchema,
    db: adapt(runnerOf(ownerOf(database))),
    backend: driverOf(database).queue_backend,
    supervise: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
  })
  // What is thrown says the same.
  boss.on('error', () => undefined)
  try {
    await boss.start()
  } finally {
    await boss.stop({ graceful: false, close: false })
  }
  await buildIndexes(database)
}

/** What an update of the library leaves to be done without a lock: at the running queue nobody may change the schema. */
async function buildIndexes(database: Database): Promise<void> {
  const owner = ownerOf(database)
  const waiting = await owner.query<{ id: string; command: string }>(
    sql`select id, command from boss.bam where status <> 'completed' order by created_on`,
  )
  for (const { id, command } of waiting) {
    await runnerOf(owner).run(command, [])
    await owner.query(sql`update boss.bam set status = 'completed', completed_on = now() where id = ${id}`)
  }
}

/**
 * Makes the tables of the queue where they are missing or of an earlier version. Throws `privileges-missing` where they are and this role
 * may not.
 */
export async function ensureQueueSchema(database: Database): Promise<void> {
  const { version, granted } = await readState(database)
  if (version === wanted && granted) return
  await changeSchema(async () => {
    if (version !== wanted) await build(database)
    await runnerOf(ownerOf(database)).script(`
      begin;
      select pg_advisory_xact_lock(7221094158302002);
      ${grants}
      commit`)
  })
}
