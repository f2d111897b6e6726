import type { Database, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { insertPrincipalChange, principalChangesChannel } from './store.principal-changes.ts'

/** The principals whose cached tokens must be verified again. */
export type ChangedPrincipal =
  | `session:${string}`
  | `key:${string}`
  | `token:${string}`
  | `client:${string}`
  | `user:${string}`
  | `tile:${string}`
  | `organization:${string}`
  | `support-access:${string}`
  | typeof signingKeysChangeSubject

/** The signing keys were replaced: every token must be verified again, with the keys that are stored now. */
export const signingKeysChangeSubject = 'signing-keys'

/** Calls the listener for every change that a transaction on this open database commits. */
export const onPrincipalChange = (database: Database, listener: (subject: string) => void): (() => void) =>
  database.subscribe(principalChangesChannel, listener)

/**
 * Call it in the unscoped transaction that revokes a key, ends a session, changes a user or closes an organization: after
 * the commit no token of the subject is taken from a cache, at once in this process and, by NOTIFY, a moment later in every
 * other. A process that cannot listen polls the changes every two seconds, and one that cannot poll disables its cache.
 */
export async function publishPrincipalChange(tx: Tx, subject: ChangedPrincipal): Promise<void> {
  await insertPrincipalChange(tx, newId(), subject)
  tx.publish(principalChangesChannel, subject)
}
