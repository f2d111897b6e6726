import type { DueRowsQuery } from '../../sandbox/due-rows.ts'

/**
 * Interface to a payment processor. Amounts are in Australian cents, tax included; one credit is one cent. Nothing here is
 * called inside a transaction.
 */

/** The status of a payment intent, with the names of Stripe. */
export type PaymentIntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled'

export interface PaymentIntent {
  readonly id: string
  readonly status: PaymentIntentStatus
  /** With it the browser of the card holder completes the authentication that the bank requires. */
  readonly client_secret: string
  readonly amount_cents: number
  readonly captured_cents: number
  readonly refunded_cents: number
  readonly payment_method: string | null
  /** Until when an authorization can be captured; null if there is none. */
  readonly capture_before: Date | null
  /** The decline code of the last attempt; null if it was not declined. */
  readonly decline_code: string | null
  /**
   * The page of the 3-D Secure challenge, relative to this server or absolute; null if the client uses the SDK of the
   * processor.
   */
  readonly challenge_url: string | null
  readonly metadata: Readonly<Record<string, string>>
}

/** A saved card, without its number. */
export interface PaymentCard {
  readonly id: string
  readonly kind: string
  readonly brand: string | null
  readonly last4: string | null
  readonly exp_month: number | null
  readonly exp_year: number | null
}

export interface PaymentProcessorCustomerDetails {
  readonly organization_id: string
  readonly name: string
  readonly email: string | null
}

export interface SetupIntent {
  readonly id: string
  readonly client_secret: string
  readonly status: string
}

export interface ChargeRequest {
  readonly customer: string
  readonly payment_method: string
  readonly amount_cents: number
  /** `manual` only authorizes; `capture` moves the money. */
  readonly capture: 'automatic' | 'manual'
  readonly metadata: Readonly<Record<string, string>>
}

export interface RefundRequest {
  readonly intent: string
  readonly amount_cents: number
  readonly metadata: Readonly<Record<string, string>>
}

export interface PaymentProcessorRefund {
  readonly id: string
  readonly amount_cents: number
  readonly status: string
}

/** An invoice that the processor itself issued. */
export interface PaymentProcessorInvoiceSummary {
  readonly id: string
  readonly number: string | null
  readonly status: string
  readonly currency: string
  readonly total_cents: number
  readonly hosted_url: string | null
  readonly pdf_url: string | null
  readonly created: Date
}

/** A webhook event: delivered at least once and in any order, so the object is always looked up before it has an effect. */
export interface PaymentProcessorEvent {
  readonly id: string
  readonly type: string
  /** The id of the intent for intents, charges and disputes if known; otherwise the id of the object itself. */
  readonly object_id: string
  /** The sandbox organization whose event it is; absent for real organizations. */
  readonly sandbox?: string
  readonly created: Date
  /**
   * A dispute: `dispute` (its id), `amount_cents`, `status` (`open`, `won` or `lost`). A charge: `refunded_cents`, the
   * total of all refunds. A payment method or a setup intent: `customer` if known.
   */
  readonly data: Readonly<Record<string, string | number>>
}

/**
 * A payment processor. A `key` makes a request idempotent: the same key with the same request returns the same response
 * again (even if the object has changed since; use `find` for its current state), with another request it fails with
 * `idempotency`. Every failure is a `PaymentsFailure`.
 */
export interface PaymentProcessor {
  /** `embedded`: the embedded processor, no real money. `test`, `live`: the mode of the Stripe key. */
  readonly env: 'embedded' | 'test' | 'live'
  createCustomer(request: PaymentProcessorCustomerDetails, key: string): Promise<{ readonly id: string }>
  /** Starts saving a card for off-session charges. */
  createSetupIntent(customer: string, key: string): Promise<SetupIntent>
  /** Saves a card for a customer; charge the returned id, which may differ from the passed one. */
  attach(customer: string, paymentMethod: string): Promise<PaymentCard>
  setDefault(customer: string, paymentMethod: string): Promise<void>
  /** The current state of a saved card, which banks may renew. Null if it can no longer be charged. */
  findCard(paymentMethod: string): Promise<PaymentCard | null>
  /** A detached card can never be charged again. */
  detach(paymentMethod: string): Promise<void>
  /**
   * Charges (or authorizes) a card off session. If the bank requires authentication, that is not a failure: the intent is
   * `requires_action` and has a `client_secret`. A declined card throws `declined`, with the intent.
   */
  charge(request: ChargeRequest, key: string): Promise<PaymentIntent>
  find(intent: string): Promise<PaymentIntent>
  /**
   * Captures at most the authorized amount, once; the rest is released. Throws `invalid` (code `capture_expired`) if the
   * authorization has expired.
   */
  capture(intent: string, amount_cents: number, key: string): Promise<PaymentIntent>
  /** Releases an authorization, or ends an attempt. A cancelled intent is returned as it is. */
  cancel(intent: string, key: string): Promise<PaymentIntent>
  refund(request: RefundRequest, key: string): Promise<PaymentProcessorRefund>
  /** Newest first. */
  invoices(customer: string, limit: number): Promise<readonly PaymentProcessorInvoiceSummary[]>
  /** The event of a webhook whose signature over exactly these bytes is valid; throws `signature` otherwise. */
  readEvent(body: Uint8Array, signature: string | null): Promise<PaymentProcessorEvent>
  /**
   * Makes the embedded processor deliver its due events through the webhook route; a later call retries those that failed.
   * Other processors deliver by themselves. Returns the number of delivered events.
   */
  deliverEvents(): Promise<number>
  /**
   * The rows of this database for which `deliverEvents` has something to do in a sandbox organization; only its processor has
   * this.
   */
  dueRows?(): readonly DueRowsQuery[]
}

/**
 * `declined`: declined by the bank. `not-found`: no such object, or it belongs to another customer. `invalid`: the request
 * is not allowed in the state of the object. `idempotency`: the key was used with another request, or is in use at this
 * moment. `unavailable`: no response; the request may have been executed, so retry it with the same key.
 */
export type PaymentsFailureKind = 'declined' | 'not-found' | 'invalid' | 'unavailable' | 'signature' | 'idempotency'

export interface PaymentsFailureDetails {
  /** The processor's error code; the decline code of a declined card. */
  readonly code?: string | null
  /** The intent that failed, if one was created. */
  readonly intent?: string | null
  readonly cause?: unknown
}

export class PaymentsFailure extends Error {
  readonly kind: PaymentsFailureKind
  readonly code: string | null
  readonly intent: string | null
  constructor(kind: PaymentsFailureKind, message: string, { code, intent, cause }: PaymentsFailureDetails = {}) {
    super(message, { cause })
    this.kind = kind
    this.code = code ?? null
    this.intent = intent ?? null
  }
}

/** The result of a processor call; null if there is no such object. */
export const awaitOrNullIfNotFound = <T>(response: Promise<T>): Promise<T | null> =>
  response.catch((error: unknown) => {
    if (error instanceof PaymentsFailure && error.kind === 'not-found') return null
    throw error
  })
