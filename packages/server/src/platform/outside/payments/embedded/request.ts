import { createHash } from 'node:crypto'
import type { Clock, OrganizationClocks } from '../../../clock.ts'
import type { Database, Tx } from '../../../database/database.ts'
import { PaymentsFailure } from '../payments.ts'
import { claimKey, findRequest, keepAnswer } from './store.requests.ts'

/** Dependencies of the processor. Its state is separate: no request of it is part of a transaction of the application. */
export interface Premises {
  readonly database: Database
  readonly clock: Clock & OrganizationClocks
  /** Called after every change that may have stored an event. */
  readonly changed: () => void
}

/** The transaction of one request to the processor. */
export interface Desk {
  readonly tx: Tx
  readonly now: Date
  /** The time of a customer's organization, which a sandbox may have moved; cards and authorizations expire by it. */
  timeOf(organization: string): Date
}

export const openDesk = (tx: Tx, clock: Clock & OrganizationClocks): Desk => ({
  tx,
  now: clock.now(),
  timeOf: (organization) => clock.of(organization).now(),
})

/** How long an idempotency key returns its first response. */
export const keys_ms = 24 * 60 * 60 * 1000

const day = (now: Date): Date => new Date(now.getTime() - keys_ms)

/** Runs a read request in one transaction. */
export const look = <T>({ database, clock }: Premises, work: (desk: Desk) => Promise<T>): Promise<T> =>
  database.across.transaction((tx) => work(openDesk(tx, clock)))

/** Runs a request that may change something. */
export async function answer<T>(premises: Premises, work: (desk: Desk) => Promise<T>): Promise<T> {
  const answered = await look(premises, work)
  premises.changed()
  return answered
}

/** A value after a round trip through JSON: dates are texts. */
export type Told<T> = { readonly [Name in keyof T]: T[Name] extends Date | null ? string | null : T[Name] }

/**
 * Runs a request once: the same key and input return the first response, however often and concurrently they are sent.
 * Throws `idempotency` if the key was used with another input. A rejected request that changed nothing leaves the key
 * unused.
 */
export async function answerOnce<T>(
  premises: Premises,
  key: string,
  terms: readonly unknown[],
  work: (desk: Desk) => Promise<T>,
): Promise<Told<T>> {
  if (key === '' || key.length > 255)
    throw new PaymentsFailure('invalid', 'An idempotency key must have from 1 to 255 characters.')
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
    throw new PaymentsFailure('idempotency', 'The idempotency key was used with another request.', {
      code: 'idempotency_error',
    })
  }
  return kept.answer as Told<T>
}

/** Metadata in a canonical order, for comparing requests. */
export const sorted = (metadata: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(metadata).toSorted(([left], [right]) => (left < right ? -1 : 1))
