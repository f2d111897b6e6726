import type { OrganizationClocks } from '../clock.ts'
import type { Database, DbConnection, SqlStatementRunner } from '../database/database.ts'
import { isSandboxId } from '../ids.ts'
import { lockAndFindSandboxTime, findSandboxTime } from './store.sandboxes.ts'

/** Reads the time of a sandbox organization from the database; does nothing for others. */
export async function refreshSandboxTime(
  { unscoped, clock }: { readonly unscoped: SqlStatementRunner; readonly clock: OrganizationClocks },
  organization: string | null,
): Promise<void> {
  if (organization === null || !isSandboxId(organization)) return
  const time = await findSandboxTime(unscoped, organization)
  if (time) clock.setSandboxTime(organization, time)
}

/** The same with the database, for what looks up an organization by a signed URL. */
export const refreshSandboxClock = (
  { database, clock }: { readonly database: Database; readonly clock: OrganizationClocks },
  organization: string,
): Promise<void> => refreshSandboxTime({ unscoped: database.unscoped, clock }, organization)

/**
 * The same database, in which every transaction of a sandbox organization begins by reading its time and keeps it from being
 * moved until it ends: no process writes with a time that has passed, whichever process advanced the clock. Connections of
 * other organizations are unchanged.
 */
export function withSandboxTimeLocks(database: Database, clock: OrganizationClocks): Database {
  const readTimesOf = (organization: string, db: DbConnection): DbConnection => ({
    organization: db.organization,
    query: async (statement) => {
      if (!clock.hasSandboxTime(organization)) {
        const time = await findSandboxTime(db, organization)
        if (time) clock.setSandboxTime(organization, time)
      }
      return db.query(statement)
    },
    transaction: (work) =>
      db.transaction(async (tx) => {
        const time = await lockAndFindSandboxTime(tx, organization)
        if (time) clock.setSandboxTime(organization, time)
        return work(tx)
      }),
  })
  return {
    ...database,
    get spatial_policy() {
      return database.spatial_policy
    },
    forOrganization: (organization, work) => {
      const db = database.forOrganization(organization, work)
      return isSandboxId(organization) ? readTimesOf(organization, db) : db
    },
  }
}
