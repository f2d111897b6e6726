import type { Database, Tx } from '../../../packages/server/src/platform/database/database.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'

/** A database, with functions to crash and reopen it. */
export interface Ground {
  readonly database: Database
  /** Terminates the server during an open transaction, or its connection; throws. */
  readonly end?: (tx: Tx) => Promise<void>
  /** Closes the database and opens it again. */
  readonly reopen?: () => Promise<void>
}

/** An organization in a database, and the ids of the model's names. */
export interface World {
  readonly ground: Ground
  readonly organization: string
  readonly users: readonly string[]
  readonly ids: Map<string, string>
  readonly names: Map<string, string>
}

export const members = 3

/** Creates an organization with members only. */
export async function foundWorld(ground: Ground): Promise<World> {
  const organization = newId()
  const users = Array.from({ length: members }, newId)
  const at = new Date(0)
  await ground.database.of(organization).query(sql`
    with organization as (
      insert into organizations (organization_id, name, slug, country, enterprise_billing, plan, status, created_at, updated_at)
      values (${organization}, 'Proof', ${organization}, 'AU', false, 'prepaid', 'active', ${at}, ${at}))
    insert into memberships (organization_id, user_id, email, role, created_at, updated_at)
    select ${organization}, id, id, case number when 1 then 'owner' else 'member' end, ${at}, ${at}
    from unnest(${users}::uuid[]) with ordinality as member (id, number)`)
  return { ground, organization, users, ids: new Map(), names: new Map() }
}

export const idOf = ({ ids }: World, name: string): string => ids.get(name) ?? nobody
const nobody = newId()

export function nameIt({ ids, names }: World, name: string, id: string): void {
  ids.set(name, id)
  names.set(id, name)
}
