import type { Database } from './database.ts'
import { getSqlState } from './database.ts'
import { DatabaseFailure } from './failures.ts'
import type { DatabaseSettings } from './open-database.ts'
import { openPostgres } from './postgres.ts'
import type { PostgresLog } from './postgres.ts'
import { getSchemaOwnerConnection } from './raw.ts'
import { sql } from './sql.ts'

const insufficientPrivilege = '42501'
/** The SQLSTATE of `set role` for a role that does not exist. */
const invalidParameter = '22023'

const privilegesMissing = (message: string, cause?: unknown): DatabaseFailure =>
  new DatabaseFailure('privileges-missing', message, cause)

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Runs a change that only the owner of the schema may make. Throws `privileges-missing` if this role is not the owner. */
export async function withPrivilegeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (getSqlState(error) !== insufficientPrivilege) throw error
    const reason = errorMessage(error)
    throw privilegesMissing(
      `the role that signs in may not use or change the schema of the database (${reason}): set DATABASE_MIGRATION_URL to the role that owns it, for this start or for npm run db -- migrate`,
      error,
    )
  }
}

/**
 * Grants a role what serving the organizations requires (the role that signed in if none is named), and marks the search
 * predicates leakproof if this role may. Does nothing if the schema has no such functions yet.
 */
export async function grantServicePrivileges(database: Database, service: string | null): Promise<void> {
  const owner = getSchemaOwnerConnection(database)
  const [functions] = await owner.query<{ ready: boolean }>(
    sql`select to_regprocedure('public.swath_admit(text)') is not null as ready`,
  )
  if (!functions?.ready) return
  await owner.query(sql`select public.swath_admit(coalesce(${service}::text, session_user::text))`)
  if (database.spatial_policy !== 'leakproof') await owner.query(sql`select public.swath_mark_leakproof()`)
}

export type SchemaOwnerSettings = DatabaseSettings & { readonly database_migration_url: string | null }

/** One connection for the work and one beside it. */
const pool_size = 2

async function openOwner(settings: SchemaOwnerSettings, url: string, log?: PostgresLog): Promise<Database> {
  const { database_mode: mode, statement_timeout_ms } = settings
  try {
    return await openPostgres({ url, pool_size, mode, statement_timeout_ms, ...(log ? { log } : {}) })
  } catch (error) {
    if (!(error instanceof DatabaseFailure) || error.failure !== 'database-unavailable') throw error
    throw new DatabaseFailure('owner-unavailable', error.message, error.cause)
  }
}

/**
 * Runs work as the role that owns the schema: that of `database_migration_url`, on connections that are closed afterwards,
 * or the one that signed in to `database`. `service` is the name of the latter if the two differ.
 */
export async function withSchemaOwner<T>(
  settings: SchemaOwnerSettings,
  database: Database,
  work: (owner: Database, service: string | null) => Promise<T>,
  log?: PostgresLog,
): Promise<T> {
  const { database_url, database_migration_url: url } = settings
  if (database_url === null || url === null) return work(database, null)
  const [loginRole] = await getSchemaOwnerConnection(database).query<{ name: string }>(
    sql`select session_user::text as name`,
  )
  const owner = await openOwner(settings, url, log)
  try {
    return await work(owner, loginRole!.name)
  } finally {
    await owner.close()
    await database.refresh()
  }
}

const nilOrganizationId = '00000000-0000-0000-0000-000000000000'

/**
 * Throws `privileges-missing` if the role that signed in cannot serve: it may not switch to the two roles of the policies,
 * or those lack table privileges that the migrations granted, as after a restore without privileges.
 */
export async function checkDatabasePrivileges(database: Database): Promise<void> {
  const closedTables = await findClosedTables(database).catch((error: unknown) => {
    if (![insufficientPrivilege, invalidParameter].includes(getSqlState(error) ?? '')) throw error
    const hint = 'run npm run db -- migrate with DATABASE_MIGRATION_URL'
    throw privilegesMissing(`the role of DATABASE_URL lacks privileges (${errorMessage(error)}): ${hint}`, error)
  })
  const [firstTable] = closedTables
  if (firstTable === undefined) return
  const otherTables = closedTables.length > 1 ? ` and ${closedTables.length - 1} more tables` : ''
  throw privilegesMissing(
    `the roles swath_app and swath_across lack privileges on ${firstTable}${otherTables}: restore the privileges together with the tables`,
  )
}

async function findClosedTables(database: Database): Promise<string[]> {
  await database.forOrganization(nilOrganizationId).query(sql`select 1`)
  const rows = await database.unscoped.query<{ name: string }>(sql`
    select c.relname::text as name
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    cross join lateral (select obj_description(c.oid, 'pg_class') as purpose) declared
    where c.relkind in ('r', 'p') and purpose in ('tenant', 'shared', 'directory')
      and not (has_table_privilege('swath_across', c.oid, 'select')
        and (purpose = 'directory' or has_table_privilege('swath_app', c.oid, 'select')))
    order by 1`)
  return rows.map((row) => row.name)
}
