import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { platformOrganizationId } from '../../audit-trail/entry.ts'
import { insertAuditEntry } from '../../audit-trail/store.ts'

/** What somebody did to an account on a page, without a token of an organization. */
export interface AccountAct {
  readonly user: string
  /** Like the id of an operation, such as `users.password.reset`. */
  readonly operation: string
  /** The IP address of the client. */
  readonly address: string
  readonly at: Date
}

/** Records an act on a page in the trail of calls that belong to no organization. */
export const recordAccountAct = (tx: Tx, { user, operation, address, at }: AccountAct): Promise<void> =>
  insertAuditEntry(tx, {
    organization_id: platformOrganizationId,
    id: newId(),
    at,
    principal_kind: 'human',
    principal_id: user,
    operation,
    target_type: 'user',
    target_id: user,
    reason: null,
    request_id: newId(),
    address,
    outcome: 'succeeded',
    problem: null,
    refusal_key: null,
  })
