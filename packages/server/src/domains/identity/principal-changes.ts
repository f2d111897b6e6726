import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { insertPrincipalChange } from './store.principal-changes.ts'

/** The principals whose cached tokens must be verified again. */
export type PrincipalSubject =
  | `session:${string}`
  | `key:${string}`
  | `user:${string}`
  | `tile:${string}`
  | `organization:${string}`
  | typeof keyRingSubject

/** The signing keys were replaced: every token must be verified again, with the keys that are stored now. */
export const keyRingSubject = 'signing-keys'

type ChangeListener = (subject: string) => void

// All identity services of this process. Subjects are UUIDs, so changes of another application in the same process do no
// harm.
const listeners = new Set<ChangeListener>()

/**
 * Calls the listener for every change that a transaction of this process commits. Returns the function that unsubscribes.
 */
export function onPrincipalChange(listener: ChangeListener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Call it in the unscoped transaction that revokes a key, ends a session, changes a user or closes an organization: after
 * the commit no token of the subject is taken from a cache, at once in this process and, by NOTIFY, a moment later in every
 * other. A process that cannot listen polls the changes every two seconds, and one that cannot poll disables its cache.
 */
export async function publishPrincipalChange(tx: Tx, subject: PrincipalSubject): Promise<void> {
  await insertPrincipalChange(tx, newId(), subject)
  tx.afterCommit(() => {
    for (const listener of listeners) listener(subject)
  })
}
