import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { insertChange } from './store.changes.ts'

/** Whose remembered tokens must be looked up again. */
export type Subject =
  | `session:${string}`
  | `key:${string}`
  | `user:${string}`
  | `tile:${string}`
  | `organization:${string}`
  | typeof keyRingSubject

/** The keys that sign tokens were replaced: every token must be verified again, with the keys that are stored now. */
export const keyRingSubject = 'signing-keys'

type Listener = (subject: string) => void

// Every open identity of this process. Subjects are UUIDs, so one that listens to another house's change loses nothing.
const listeners = new Set<Listener>()

/** Tells of every change that a transaction of this process commits. The answer ends it. */
export function listenToChanges(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * To be called in the transaction (across organizations) that revokes a key, ends a session, changes what a person is or closes an
 * organization: after its commit no token of the subject is taken from memory, at once in this process and, by NOTIFY, a moment later in
 * every other. A process that cannot listen reads the changes every two seconds, and one that cannot do that remembers nothing.
 */
export async function announceChange(tx: Tx, subject: Subject): Promise<void> {
  await insertChange(tx, newId(), subject)
  tx.afterCommit(() => {
    for (const listener of listeners) listener(subject)
  })
}
