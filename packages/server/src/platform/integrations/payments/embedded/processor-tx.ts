import { createHash } from 'node:crypto'
import type { Clock, OrganizationClocks } from '../../../clock.ts'
import type { Database, Tx } from '../../../database/database.ts'
import { PaymentsFailure } from '../payments.ts'
import { claimIdempotencyKey, findIdempotentRequest, updateIdempotentResponse } from './store.requests.ts'

/** Dependencies of the processor. Its state is separate: no request of it is part of a transaction of the application. */
export interface EmbeddedPaymentProcessorDependencies {
  readonly database: Database
  readonly clock: Clock & OrganizationClocks
  /** Called after every change that may have stored an event. */
  readonly onChanged: () => void
}

/** The transaction of one request to the processor. */
export interface PaymentProcessorTx {
  readonly tx: Tx
  readonly now: Date
  /** The time of a customer's organization, which a sandbox may have moved; cards and authorizations expire by it. */
  timeOf(organization: string): Date
}

export const createPaymentProcessorTx = (tx: Tx, clock: Clock & OrganizationClocks): PaymentProcessorTx => ({
  tx,
  now: clock.now(),
  timeOf: (organization) => clock.forOrganization(organization).now(),
})

/** The time for which an idempotency key returns its first response. */
export const idempotency_key_lifetime_ms = 24 * 60 * 60 * 1000

const expiredBefore = (now: Date): Date => new Date(now.getTime() - idempotency_key_lifetime_ms)

/** Runs a read request in one transaction. */
export const runPaymentProcessorQuery = <T>(
  { database, clock }: EmbeddedPaymentProcessorDependencies,
  work: (processorTx: PaymentProcessorTx) => Promise<T>,
): Promise<T> => database.unscoped.transaction((tx) => work(createPaymentProcessorTx(tx, clock)))

/** Runs a request that may change something. */
export async function runPaymentProcessorCommand<T>(
  dependencies: EmbeddedPaymentProcessorDependencies,
  work: (processorTx: PaymentProcessorTx) => Promise<T>,
): Promise<T> {
  const result = await runPaymentProcessorQuery(dependencies, work)
  dependencies.onChanged()
  return result
}

/** A value after a round trip through JSON: dates are texts. */
export type JsonRoundTrip<T> = { readonly [Name in keyof T]: T[Name] extends Date | null ? string | null : T[Name] }

/**
 * Runs a request once: the same key and input return the first response, however often and concurrently they are sent.
 * Throws `idempotency` if the key was used with another input. A rejected request that changed nothing leaves the key
 * unused.
 */
export async function runIdempotentPaymentProcessorCommand<T>(
  dependencies: EmbeddedPaymentProcessorDependencies,
  key: string,
  input: readonly unknown[],
  work: (processorTx: PaymentProcessorTx) => Promise<T>,
): Promise<JsonRoundTrip<T>> {
  if (key === '' || key.length > 255)
    throw new PaymentsFailure('invalid', 'An idempotency key must have from 1 to 255 characters.')
  const inputDigest = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  return runPaymentProcessorCommand(dependencies, async (processorTx) => {
    if (
      !(await claimIdempotencyKey(processorTx.tx, {
        key,
        digest: inputDigest,
        now: processorTx.now,
        expiredBefore: expiredBefore(processorTx.now),
      }))
    )
      return repeatResponse<T>(processorTx, key, inputDigest)
    const recorded = JSON.parse(JSON.stringify(await work(processorTx))) as JsonRoundTrip<T>
    await updateIdempotentResponse(processorTx.tx, key, recorded)
    return recorded
  })
}

async function repeatResponse<T>(
  { tx }: PaymentProcessorTx,
  key: string,
  inputDigest: string,
): Promise<JsonRoundTrip<T>> {
  const storedRequest = await findIdempotentRequest(tx, key)
  if (storedRequest?.digest !== inputDigest) {
    throw new PaymentsFailure('idempotency', 'The idempotency key was used with another request.', {
      code: 'idempotency_error',
    })
  }
  return storedRequest.answer as JsonRoundTrip<T>
}

/** Metadata in a canonical order, for comparing requests. */
export const sortMetadata = (metadata: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(metadata).toSorted(([left], [right]) => (left < right ? -1 : 1))
