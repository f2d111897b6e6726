import { getSqlState, type DbConnection } from '../database.ts'
import { postgres_roles } from '../driver.ts'
import { getStatementRunner } from '../raw.ts'
import { sql } from '../sql.ts'

/** The SQLSTATEs of a name that another transaction has taken: the one that is committed, and the one that this waited for. */
const takenNameStates: ReadonlySet<string | null> = new Set(['42710', '23505'])

/**
 * Creates a role that serves organizations unless it exists. Roles belong to the cluster, so another of its databases may
 * create it at the same moment. Each statement is its own transaction: after one has waited for the other transaction and
 * found the role, PostgreSQL still remembers for the rest of it that there is none, and a GRANT fails. And no block, in
 * which Citus creates no roles on its nodes.
 */
export async function createServiceRole(owner: DbConnection, name: string): Promise<void> {
  const [found] = await owner.query(sql`select 1 from pg_catalog.pg_roles where rolname = ${name}`)
  if (found) return
  try {
    await getStatementRunner(owner).run(`create role ${name} nologin nobypassrls`, [])
  } catch (error) {
    if (!takenNameStates.has(getSqlState(error))) throw error
  }
}

/** Creates the roles that the migrations grant privileges to. */
export async function createServiceRoles(owner: DbConnection): Promise<void> {
  for (const name of [postgres_roles.app, postgres_roles.across]) await createServiceRole(owner, name)
}
