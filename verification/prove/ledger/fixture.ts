import { scopes } from '@swath/contract/scopes.ts'
import type { DocumentIssuer } from '../../../packages/server/src/domains/invoicing/documents/issue-document.ts'
import type { OrganizationClocks } from '../../../packages/server/src/platform/clock.ts'
import type { Database, Tx } from '../../../packages/server/src/platform/database/database.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { noopQueue } from '../../../packages/server/test/noop-queue.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'

/** A database, with functions to crash and reopen it. */
export interface ProofDatabase {
  readonly database: Database
  /** Terminates the server during an open transaction, or its connection; throws. */
  readonly terminate?: (tx: Tx) => Promise<void>
  /** Closes the database and opens it again. */
  readonly reopen?: () => Promise<void>
}

/** An organization in a database, and the ids of the model's names. */
export interface LedgerFixture {
  readonly proofDatabase: ProofDatabase
  readonly organization: string
  readonly users: readonly string[]
  readonly ids: Map<string, string>
  readonly names: Map<string, string>
}

export const member_count = 3

/** Creates an organization with members only. */
export async function createFixture(proofDatabase: ProofDatabase): Promise<LedgerFixture> {
  const organization = newId()
  const users = Array.from({ length: member_count }, newId)
  const at = new Date(0)
  await proofDatabase.database.forOrganization(organization).query(sql`
    with organization as (
      insert into organizations (organization_id, name, slug, country, enterprise_billing, plan, status, created_at, updated_at)
      values (${organization}, 'Proof', ${organization}, 'AU', false, 'prepaid', 'active', ${at}, ${at}))
    insert into memberships (organization_id, user_id, email, role, created_at, updated_at)
    select ${organization}, id, id, case number when 1 then 'owner' else 'member' end, ${at}, ${at}
    from unnest(${users}::uuid[]) with ordinality as member (id, number)`)
  return { proofDatabase, organization, users, ids: new Map(), names: new Map() }
}

export const idOf = ({ ids }: LedgerFixture, name: string): string => ids.get(name) ?? unknownId
const unknownId = newId()

export function registerName({ ids, names }: LedgerFixture, name: string, id: string): void {
  ids.set(name, id)
  names.set(id, name)
}

/** A user who acts in an organization; events have no handlers. */
export const createActor = (organization: string, user: string, clock: OrganizationClocks): DocumentIssuer => ({
  seller: {
    name: 'Proof',
    abn: '51824753556',
    address: [],
    email: null,
    bank: null,
    payment_terms: null,
    has_play_money: false,
  },
  organization,
  principal: { kind: 'human', id: user, user, organization, role: 'member', scopes, administrator: false },
  clock: clock.forOrganization(organization),
  operation: 'test',
  requestId: 'ledger',
  queue: noopQueue,
})
