import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { insertAuditEntry } from '../../audit-trail/store.ts'

/** What a provider or a directory has changed. */
export interface DirectoryChange {
  readonly target_type: 'user' | 'scim_user' | 'scim_group'
  readonly target_id: string
  /** The IP address of the client. */
  readonly address: string
}

/** Writes the row of a change that no operation makes, in the transaction of the change. */
export const recordDirectoryChange = (
  tx: Tx,
  { organization, principal, clock, operation, requestId }: Actor,
  { target_type, target_id, address }: DirectoryChange,
): Promise<void> =>
  insertAuditEntry(tx, {
    organization_id: organization,
    id: newId(),
    at: clock.process.now(),
    principal_kind: principal.kind,
    principal_id: principal.id,
    operation,
    target_type,
    target_id,
    reason: null,
    request_id: requestId,
    address,
    outcome: 'succeeded',
    problem: null,
    refusal_key: null,
  })
