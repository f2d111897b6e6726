import { createHash } from 'node:crypto'
import type { Clock, OrganizationClocks } from '../../../clock.ts'
import type { Database, Tx } from '../../../database/database.ts'
import { PaymentsFailure } from '../payments.ts'
import { claimKey, findRequest, keepAnswer } from './store.requests.ts'

/** What the processor stands on. Its books are its own: no request of it is part of a transaction of the house. */
export interface Premises {
  readonly database: Database
  readonly clock: Clock & OrganizationClocks
  /** Called after every change that somebody may have to be told of. */
  readonly changed: () => void
}

/** One request at work. */
export interface Desk {
  readonly tx: Tx
  readonly now: Date
  /** The time of a customer, which a sandbox may have moved: cards and authorisations live in it. */
  timeOf(organization: string): Date
}

export const openDesk = (tx: Tx, clock: Clock & OrganizationClocks): Desk => ({
  tx,
  now: clock.now(),
  timeOf: (organization) => clock.of(organization).now(),
})

/** How long a key stands for its first answer. */
export const keys_ms = 24 * 60 * 60 * 1000

const day = (now: Date): Date => new Date(now.getTime() - keys_ms)

/** A question; it is one transaction, like every request. */
export const look = <T>({ database, clock }: Premises, work: (desk: Desk) => Promise<T>): Promise<T> =>
  database.across.transaction((tx) => work(openDesk(tx, clock)))

/** A request that may change something. */
export async function answer<T>(premises: Premises, work: (desk: Desk) => Promise<T>): Promise<T> {
  const answered = await look(premises, work)
  premises.changed()
  return answered
}

/** A value as JSON gives it back: times are texts. */
export type Told<T> = { readonly [Name in keyof T]: T[Name] extends Date | null ? string | null : T[Name] }

/**
 * Answers a request once: the same key and terms are told what the first was told, however often and at once they ask.
 * Throws `idempotency` where the key came with other terms. A refusal that changed nothing leaves the key free.
 */
export async function answerOnce<T>(
  premises: Premises,
  key: string,
  terms: readonly unknown[],
  work: (desk: Desk) => Promise<T>,
): Promise<Told<T>> {
  if (key === '' || key.length > 255) throw new PaymentsFailure('invalid', 'A key has from 1 to 255 characters.')
  const digest = createHash('sha256').update(JSON.stringify(terms)).digest('hex')
  return answer(premises, async (desk) => {
    if (!(await claimKey(desk.tx, key, digest, desk.now, day(desk.now)))) return repeat<T>(desk, key, digest)
    const told = JSON.parse(JSON.stringify(await work(desk))) as Told<T>
    await keepAnswer(desk.tx, key, told)
    return told
  })
}

async function repeat<T>({ tx }: Desk, key: string, digest: string): Promise<Told<T>> {
  const kept = await findRequest(tx, key)
  if (kept?.digest !== digest) {
    throw new PaymentsFailure('idempotency', 'The key was used with other terms.', { code: 'idempotency_error' })
  }
  return kept.answer as Told<T>
}

/** Metadata in one order, for terms that are compared. */
export const sorted = (metadata: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(metadata).toSorted(([left], [right]) => (left < right ? -1 : 1))
