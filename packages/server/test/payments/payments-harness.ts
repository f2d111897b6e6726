import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import {
  PaymentsFailure,
  type PaymentCard,
  type PaymentIntent,
  type PaymentProcessor,
  type PaymentsFailureKind,
} from '../../src/platform/integrations/payments/payments.ts'

/** Cards by issuer behaviour: approve, decline charges, decline saving, challenge, expire authorisations early. */
export type CardKind = 'good' | 'declined' | 'refused' | 'challenge' | 'expiring'

export interface ReceivedWebhook {
  readonly body: Uint8Array
  readonly signature: string
}

/** A payment processor with the test controls that the contract tests need. */
export interface PaymentsHarness {
  readonly payments: PaymentProcessor
  /** Creates a card; returns the payment method id for `attach`. */
  createCard(kind: CardKind): Promise<string>
  /** Answers a challenge as the card holder. */
  answerChallenge(intent: PaymentIntent, answer: 'complete' | 'fail'): Promise<void>
  /** The signature header of a webhook, signed with the right secret `age_s` seconds ago. */
  signWebhook(body: Uint8Array, age_s: number): string
  /** Resolves with the first webhook of the type about the intent. */
  waitForWebhook(intent: string, type: string): Promise<ReceivedWebhook>
  /** Advances the clock of the processor. */
  advanceClock(milliseconds: number): void
}

export const hour_ms = 60 * 60 * 1000

/** Asserts that the error is a failure of this kind, for `assert.rejects`. */
export const failedWith =
  (kind: PaymentsFailureKind, code?: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof PaymentsFailure, String(error))
    assert.equal(error.kind, kind)
    if (code !== undefined) assert.equal(error.code, code)
    return true
  }

export const isPaymentsFailure = (error: unknown): boolean => error instanceof PaymentsFailure

export async function createCustomer({ payments }: PaymentsHarness): Promise<string> {
  return (await payments.createCustomer({ organization_id: newId(), name: 'Acme', email: null }, newId())).id
}

export async function createCustomerWithCard(
  harness: PaymentsHarness,
  kind: CardKind = 'good',
): Promise<{ customer: string; card: PaymentCard }> {
  const customer = await createCustomer(harness)
  return { customer, card: await harness.payments.attach(customer, await harness.createCard(kind)) }
}

export interface ChargeOptions {
  readonly kind?: CardKind
  readonly cents?: number
  readonly capture?: 'automatic' | 'manual'
}

export async function createCharge(
  harness: PaymentsHarness,
  { kind = 'good', cents = 5000, capture = 'automatic' }: ChargeOptions = {},
) {
  const { customer, card } = await createCustomerWithCard(harness, kind)
  const chargeInput = {
    customer,
    payment_method: card.id,
    amount_cents: cents,
    capture,
    metadata: { order: 'o1' },
  } as const
  return harness.payments.charge(chargeInput, newId())
}

export const createAuthorisation = (harness: PaymentsHarness, cents = 5000): Promise<PaymentIntent> =>
  createCharge(harness, { cents, capture: 'manual' })

export const refundInput = (intent: string, amount_cents: number) => ({
  intent,
  amount_cents,
  metadata: { entry: 'e1' },
})

/** A test of the contract of `Payments`: rejects if it is violated. */
export type ContractTest = (harness: PaymentsHarness) => Promise<void>

export type ContractTests = Readonly<Record<string, ContractTest>>
