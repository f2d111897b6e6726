import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database, SqlStatementRunner } from './database.ts'
import { DatabaseFailure } from './failures.ts'
import { getDatabaseDriver, getSchemaOwnerConnection, getStatementRunner } from './raw.ts'
import { grantServicePrivileges, withPrivilegeErrors } from './schema-owner.ts'
import { createServiceRoles } from './schema/service-roles.ts'
import { splitStatements } from './schema/split-statements.ts'
import { sql } from './sql.ts'

/** The folder with the migrations of this server. */
export const migrationsDir = fileURLToPath(new URL('../../../migrations/', import.meta.url))

export interface Migration {
  readonly number: number
  /** The file name, such as `0001_foundation.sql`. */
  readonly name: string
  readonly text: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string
  /** The number of the last migration that a program must have to run after this one; null if the previous version can. */
  readonly min_program: number | null
}

/** An arbitrary constant that no other advisory lock in the database uses. */
const migration_lock_key = 7_221_094_158_302_001n
/** The line with which a migration that removes or renames something says which programs can do without. */
const minProgramPattern = /^-- min program: (\d{4})$/m
const namePattern = /^(\d{4})_[a-z0-9_]+\.sql$/

const migrationRefused = (message: string): DatabaseFailure => new DatabaseFailure('migration-refused', message)

/** The migrations of a folder in their order. Throws `migration-refused` for an invalid name or a duplicate number. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await fs.readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  for (const name of names) {
    const number = Number(namePattern.exec(name)?.[1])
    if (!Number.isInteger(number)) throw migrationRefused(`${name} is not a valid migration name: use 0001_words.sql`)
    if (migrations.at(-1)?.number === number)
      throw migrationRefused(`${name} and ${migrations.at(-1)?.name} have the same number`)
    const text = await fs.readFile(path.join(dir, name), 'utf8')
    const min_program = minProgramPattern.exec(text)?.[1]
    migrations.push({
      number,
      name,
      text,
      checksum: createHash('sha256').update(text).digest('hex'),
      min_program: min_program === undefined ? null : Number(min_program),
    })
  }
  return migrations
}

const create_migrations_table = sql`
  create table if not exists schema_migrations (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    min_program integer
  )`
/** The table of installations from before the column. */
const add_min_program = sql`alter table schema_migrations add column if not exists min_program integer`

interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly min_program: number | null
}

/** Also reads a table that does not have the last column yet. */
const readApplied = (db: SqlStatementRunner): Promise<AppliedMigration[]> =>
  db.query<AppliedMigration>(sql`
    select number, name, checksum, (to_jsonb(m) ->> 'min_program')::integer as min_program
    from schema_migrations m order by number`)

/**
 * Throws `migration-refused` if a file was changed, renamed or removed after it was applied, or sorts before an applied
 * one. Migrations of a later version may have been applied, since during an update both versions run, unless one of them
 * says that it needs a later program.
 */
function checkApplied(migrations: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const files = new Map(migrations.map((migration) => [migration.number, migration]))
  const lastKnown = migrations.at(-1)?.number ?? 0
  for (const row of applied) {
    if ((row.min_program ?? 0) > lastKnown)
      throw migrationRefused(`${row.name} was applied and needs a later program: this one is older than its database`)
    const file = files.get(row.number)
    if (!file && row.number > lastKnown) continue
    if (!file) throw migrationRefused(`${row.name} was applied and its file is missing: this is another program`)
    if (file.checksum !== row.checksum)
      throw migrationRefused(`${file.name} was changed after it was applied: add a new migration instead`)
  }
  const lastApplied = applied.at(-1)?.number ?? 0
  const appliedNumbers = new Set(applied.map((row) => row.number))
  const lateMigration = migrations.find(
    (migration) => migration.number < lastApplied && !appliedNumbers.has(migration.number),
  )
  if (lateMigration)
    throw migrationRefused(
      `${lateMigration.name} comes before migrations that are already applied: use the next number`,
    )
}

/**
 * Applies the next migration; null if none is left. One transaction, under a lock shared by all processes; for Citus one
 * message for each statement, which changes one shard after another. With `row_security` off, a statement whose rows the policies would restrict fails: a migration never changes fewer rows than
 * it states.
 */
async function applyNext(database: Database, migrations: readonly Migration[]): Promise<string | null> {
  const isCitus = getDatabaseDriver(database).queue_backend === 'citus'
  return getSchemaOwnerConnection(database).transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${migration_lock_key}), set_config('row_security', 'off', true)`)
    if (isCitus) await tx.query(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
    const applied = await readApplied(tx)
    checkApplied(migrations, applied)
    const appliedNumbers = new Set(applied.map((row) => row.number))
    const next = migrations.find((migration) => !appliedNumbers.has(migration.number))
    if (!next) return null
    for (const text of isCitus ? splitStatements(next.text) : [next.text]) await getStatementRunner(tx).script(text)
    await tx.query(sql`
      insert into schema_migrations (number, name, checksum, min_program)
      values (${next.number}, ${next.name}, ${next.checksum}, ${next.min_program}::integer)`)
    return next.name
  })
}

async function createMigrationsTable(database: Database): Promise<void> {
  await getSchemaOwnerConnection(database).transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${migration_lock_key})`)
    await tx.query(create_migrations_table)
    await tx.query(add_min_program)
    await tx.query(sql`comment on table schema_migrations is 'machinery'`)
  })
}

/** At most startups nothing is to be done: two queries find that out without a lock or a transaction. */
async function isUpToDate(database: Database, migrations: readonly Migration[]): Promise<boolean> {
  const [migrationsTable] = await getSchemaOwnerConnection(database).query<{ readable: boolean }>(sql`
    select has_table_privilege(c.oid, 'select') as readable
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relname = 'schema_migrations'`)
  if (!migrationsTable) return false
  // The role of a service that signs in separately from the owner may not read the table itself.
  const applied = await readApplied(migrationsTable.readable ? getSchemaOwnerConnection(database) : database.unscoped)
  checkApplied(migrations, applied)
  const appliedNumbers = new Set(applied.map((row) => row.number))
  return migrations.every(({ number }) => appliedNumbers.has(number))
}

async function applyAll(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  if (await isUpToDate(database, migrations)) return []
  await createServiceRoles(getSchemaOwnerConnection(database))
  await createMigrationsTable(database)
  const names: string[] = []
  for (let name = await applyNext(database, migrations); name !== null; name = await applyNext(database, migrations))
    names.push(name)
  return names
}

/**
 * Brings the schema up to date with the files of `dir`, each in its own transaction; concurrent processes are safe.
 * Returns the names of the migrations that this call applied. Then allows the role that signed in, or `service` if
 * passed, to serve the organizations. Throws `migration-refused` if files and database do not match,
 * `privileges-missing` if this role may not change the schema.
 */
export const migrateSchema = (database: Database, dir: string, service: string | null = null): Promise<string[]> =>
  withPrivilegeErrors(async () => {
    const names = await applyAll(database, await readMigrations(dir))
    if (names.length === 0 && service === null) return names
    await grantServicePrivileges(database, service)
    await database.refresh()
    return names
  })
