import type { Database } from '../database/database.ts'
import { migrateSchema } from '../database/migrate.ts'
import type { PostgresLog } from '../database/postgres.ts'
import { checkDatabasePrivileges, withSchemaOwner, type SchemaOwnerSettings } from '../database/schema-owner.ts'
import { ensureQueueSchema } from './queue-schema.ts'

/**
 * Brings the schema and the tables of the queue up to date, as the role that owns them, and checks that the role of
 * `database` has the required privileges. Throws `migration-refused`, `privileges-missing` and `owner-unavailable`.
 */
export async function prepareDatabaseSchema(
  settings: SchemaOwnerSettings,
  database: Database,
  migrations: string,
  log?: PostgresLog,
): Promise<void> {
  const prepareAsOwner = async (owner: Database, service: string | null): Promise<void> => {
    await migrateSchema(owner, migrations, service)
    await ensureQueueSchema(owner)
  }
  await withSchemaOwner(settings, database, prepareAsOwner, log)
  if (database.kind === 'postgres') await checkDatabasePrivileges(database)
}
