import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { insertChange } from './store.changes.ts'

/** Whose remembered tokens must be looked up again. */
export type Subject = `session:${string}` | `key:${string}` | `user:${string}` | `tile:${string}`

type Listener = (subject: string) => void

// Every open identity of this process. Subjects are UUIDs, so one that listens to another house's change loses nothing.
const listeners = new Set<Listener>()

/** Tells of every change that a transaction of this process commits. The answer ends it. */
export function listenToChanges(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * To be called in the transaction (across organizations) that revokes a key, ends a session or changes what a person is: after its commit no
 * token of the subject is taken from memory, at once in this process and within seconds in every other.
 */
export async function announceChange(tx: Tx, subject: Subject): Promise<void> {
  await insertChange(tx, newId(), subject)
  tx.afterCommit(() => {
    for (const listener of listeners) listener(subject)
  })
}
