import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import {
  PaymentsFailure,
  type Card,
  type Intent,
  type Payments,
  type PaymentsFailureKind,
} from '../../src/platform/outside/payments/payments.ts'

/** Cards by issuer behaviour: approve, decline charges, decline saving, challenge, expire authorisations early. */
export type CardKind = 'good' | 'declined' | 'refused' | 'challenge' | 'expiring'

export interface Told {
  readonly body: Uint8Array
  readonly signature: string
}

/** A payment processor with the test controls that the contract tests need. */
export interface Bench {
  readonly payments: Payments
  /** Creates a card; returns the payment method id for `attach`. */
  card(kind: CardKind): Promise<string>
  /** Answers a challenge as the card holder. */
  settle(intent: Intent, answer: 'complete' | 'fail'): Promise<void>
  /** The signature header of a webhook, signed with the right secret `age_s` seconds ago. */
  sign(body: Uint8Array, age_s: number): string
  /** Resolves with the first webhook of the type about the intent. */
  told(intent: string, type: string): Promise<Told>
  /** Advances the clock of the processor. */
  advance(milliseconds: number): void
}

export const hour_ms = 60 * 60 * 1000

/** For `assert.rejects`: asserts that the error is a failure of this kind. */
export const failure =
  (kind: PaymentsFailureKind, code?: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof PaymentsFailure, String(error))
    assert.equal(error.kind, kind)
    if (code !== undefined) assert.equal(error.code, code)
    return true
  }

export const refused = (error: unknown): boolean => error instanceof PaymentsFailure

export async function customerOf({ payments }: Bench): Promise<string> {
  return (await payments.createCustomer({ organization_id: newId(), name: 'Acme', email: null }, newId())).id
}

export async function cardHolder(bench: Bench, kind: CardKind = 'good'): Promise<{ customer: string; card: Card }> {
  const customer = await customerOf(bench)
  return { customer, card: await bench.payments.attach(customer, await bench.card(kind)) }
}

export interface ChargeWish {
  readonly kind?: CardKind
  readonly cents?: number
  readonly capture?: 'automatic' | 'manual'
}

export async function charge(bench: Bench, { kind = 'good', cents = 5000, capture = 'automatic' }: ChargeWish = {}) {
  const { customer, card } = await cardHolder(bench, kind)
  const terms = { customer, payment_method: card.id, amount_cents: cents, capture, metadata: { order: 'o1' } } as const
  return bench.payments.charge(terms, newId())
}

export const authorise = (bench: Bench, cents = 5000): Promise<Intent> => charge(bench, { cents, capture: 'manual' })

export const refund = (intent: string, amount_cents: number) => ({ intent, amount_cents, metadata: { entry: 'e1' } })

/** A test of the contract of `Payments`: rejects if it is violated. */
export type Keep = (bench: Bench) => Promise<void>

export type Promises = Readonly<Record<string, Keep>>
