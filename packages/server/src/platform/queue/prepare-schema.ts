import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import type { PostgresLog } from '../database/postgres.ts'
import { checkPrivileges, withSchemaOwner, type OwnerSettings } from '../database/schema-owner.ts'
import { ensureQueueSchema } from './queue-schema.ts'

/**
 * Brings the schema and the tables of the queue up to date, as the role that owns them, and checks that the role of
 * `database` has the required privileges. Throws `migration-refused`, `privileges-missing` and `owner-unavailable`.
 */
export async function prepareSchema(
  settings: OwnerSettings,
  database: Database,
  migrations: string,
  log?: PostgresLog,
): Promise<void> {
  const prepareAsOwner = async (owner: Database, service: string | null): Promise<void> => {
    await migrate(owner, migrations, service)
    await ensureQueueSchema(owner)
  }
  await withSchemaOwner(settings, database, prepareAsOwner, log)
  if (database.kind === 'postgres') await checkPrivileges(database)
}
