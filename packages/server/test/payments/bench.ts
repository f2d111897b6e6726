import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import {
  PaymentsFailure,
  type Card,
  type Intent,
  type Payments,
  type PaymentsFailureKind,
} from '../../src/platform/outside/payments/payments.ts'

/** Cards by what their banks do: say yes, refuse every charge, refuse to save it, ask the card holder, forget soon. */
export type CardKind = 'good' | 'declined' | 'refused' | 'challenge' | 'expiring'

export interface Told {
  readonly body: Uint8Array
  readonly signature: string
}

/** A processor with everything that the promises need beside its face. */
export interface Bench {
  readonly payments: Payments
  /** An id that `attach` takes. */
  card(kind: CardKind): Promise<string>
  /** The card holder's answer to a challenge. */
  settle(intent: Intent, answer: 'complete' | 'fail'): Promise<void>
  /** The header of a webhook, signed with the right secret so many seconds ago. */
  sign(body: Uint8Array, age_s: number): string
  /** The webhooks about an intent; resolves when there is at least one of the type. */
  told(intent: string, type: string): Promise<Told>
  /** Moves the processor's clock. */
  advance(milliseconds: number): void
}

export const hour_ms = 60 * 60 * 1000

/** Says whether an error is the failure that was expected. */
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

/** A promise of the face: rejects where it is not kept. */
export type Keep = (bench: Bench) => Promise<void>

export type Promises = Readonly<Record<string, Keep>>
