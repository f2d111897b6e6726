import type { DbConnection } from '../database.ts'
import { postgres_roles } from '../driver.ts'
import { getStatementRunner } from '../raw.ts'

/**
 * Creates a role that serves organizations unless it exists. Roles belong to the cluster, so another of its databases may
 * create it at the same moment. This statement must be its own transaction: after it has waited for the other transaction
 * and found the role, PostgreSQL still remembers for the rest of its own that there is none, and a GRANT fails.
 */
export async function createServiceRole(owner: DbConnection, name: string): Promise<void> {
  await getStatementRunner(owner).script(`
    do $$
    begin
      if not exists (select 1 from pg_catalog.pg_roles where rolname = '${name}') then
        create role ${name} nologin nobypassrls;
      end if;
    exception when duplicate_object or unique_violation then
      null;
    end
    $$`)
}

/** Creates the roles that the migrations grant privileges to. */
export async function createServiceRoles(owner: DbConnection): Promise<void> {
  for (const name of [postgres_roles.app, postgres_roles.across]) await createServiceRole(owner, name)
}
