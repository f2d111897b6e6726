/**
 * The company that moves money between cards and us. Every amount is in Australian cents, tax included; one credit is one
 * cent. Nothing here is called inside a transaction.
 */

/** What the processor keeps of one attempt to be paid, in the words of its own interface. */
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled'

export interface Intent {
  readonly id: string
  readonly status: IntentStatus
  /** With it the card holder's own browser finishes what the card's bank asks for. */
  readonly client_secret: string
  readonly amount_cents: number
  readonly captured_cents: number
  readonly refunded_cents: number
  readonly payment_method: string | null
  /** Until when an authorisation can be captured; null where there is none to capture. */
  readonly capture_before: Date | null
  /** Why the card's bank last refused; null where it did not. */
  readonly decline_code: string | null
  /** Page where the card holder passes the challenge, relative to the house or absolute; null where the client's own SDK shows it. */
  readonly challenge_url: string | null
  readonly metadata: Readonly<Record<string, string>>
}

/** A card that can be charged, as far as anybody but its bank knows it. */
export interface Card {
  readonly id: string
  readonly kind: string
  readonly brand: string | null
  readonly last4: string | null
  readonly exp_month: number | null
  readonly exp_year: number | null
}

export interface CustomerTerms {
  readonly organization_id: string
  readonly name: string
  readonly email: string | null
}

export interface SetupIntent {
  readonly id: string
  readonly client_secret: string
  readonly status: string
}

export interface ChargeTerms {
  readonly customer: string
  readonly payment_method: string
  readonly amount_cents: number
  /** `manual` authorises only; the money moves by `capture`. */
  readonly capture: 'automatic' | 'manual'
  readonly metadata: Readonly<Record<string, string>>
}

export interface RefundTerms {
  readonly intent: string
  readonly amount_cents: number
  readonly metadata: Readonly<Record<string, string>>
}

export interface Refund {
  readonly id: string
  readonly amount_cents: number
  readonly status: string
}

/** One invoice that the processor itself wrote. */
export interface ProcessorInvoiceFacts {
  readonly id: string
  readonly number: string | null
  readonly status: string
  readonly currency: string
  readonly total_cents: number
  readonly hosted_url: string | null
  readonly pdf_url: string | null
  readonly created: Date
}

/** What the processor tells us unasked: at least once, in any order, so what it names is looked up before it counts. */
export interface ProcessorEvent {
  readonly id: string
  readonly type: string
  /** The intent for intents, charges and disputes where it is known; else the object itself. */
  readonly object_id: string
  readonly created: Date
  /**
   * A dispute: `dispute` (its id), `amount_cents`, `status` (`open`, `won` or `lost`). A charge: `refunded_cents`, all of
   * them together. A method or a setup intent: `customer`, where known.
   */
  readonly data: Readonly<Record<string, string | number>>
}

/**
 * The face of a processor. A `key` makes a request idempotent: the same key with the same terms is answered the same
 * again (also where the object has moved on since: `find` tells), with other terms it is a failure (`idempotency`). Every
 * failure is a `PaymentsFailure`.
 */
export interface Payments {
  /** `embedded`: our own processor, no real money. `test`, `live`: the mode of the key at Stripe. */
  readonly env: 'embedded' | 'test' | 'live'
  createCustomer(terms: CustomerTerms, key: string): Promise<{ readonly id: string }>
  /** Begins to save a card for charges when nobody is there. */
  createSetupIntent(customer: string, key: string): Promise<SetupIntent>
  /** Saves a card for a customer; the id of the answer is the one to charge, which may differ from the one given. */
  attach(customer: string, paymentMethod: string): Promise<Card>
  setDefault(customer: string, paymentMethod: string): Promise<void>
  /** A saved card as it is now: banks renew cards. Null where it can be charged no more. */
  findCard(paymentMethod: string): Promise<Card | null>
  /** A detached card is never charged again. */
  detach(paymentMethod: string): Promise<void>
  /**
   * Charges (or authorises) a card while nobody is there. A bank that wants its card holder first is no failure: the
   * intent then says `requires_action` and carries its `client_secret`. A refused card throws `declined`, with the intent.
   */
  charge(terms: ChargeTerms, key: string): Promise<Intent>
  find(intent: string): Promise<Intent>
  /** Takes at most what was authorised, once; the rest is released. Throws `invalid` (code `capture_expired`) when it is too late. */
  capture(intent: string, amount_cents: number, key: string): Promise<Intent>
  /** Gives an authorisation back, or ends an attempt. A cancelled intent is answered as it is. */
  cancel(intent: string, key: string): Promise<Intent>
  refund(terms: RefundTerms, key: string): Promise<Refund>
  /** Newest first. */
  invoices(customer: string, limit: number): Promise<readonly ProcessorInvoiceFacts[]>
  /** What a webhook says, once its signature over these very bytes is verified; throws `signature` otherwise. */
  readEvent(body: Uint8Array, signature: string | null): Promise<ProcessorEvent>
  /**
   * Lets the embedded processor tell what it has to tell, through the door for webhooks; events that were not heard are
   * told again by a later call. Others tell by themselves. Answers how many were heard.
   */
  deliverEvents(): Promise<number>
}

/**
 * `declined`: the card's bank said no. `not-found`: no such object, or not this customer's. `invalid`: the request makes no
 * sense in the object's state. `idempotency`: the key was used with other terms, or is in use at this moment.
 * `unavailable`: no answer; what was asked for may have happened, so ask again with the same key.
 */
export type PaymentsFailureKind = 'declined' | 'not-found' | 'invalid' | 'unavailable' | 'signature' | 'idempotency'

export interface PaymentsFailureFacts {
  /** The processor's own word for the reason; the decline code of a declined card. */
  readonly code?: string | null
  /** The attempt that failed, where one was made. */
  readonly intent?: string | null
  readonly cause?: unknown
}

export class PaymentsFailure extends Error {
  readonly kind: PaymentsFailureKind
  readonly code: string | null
  readonly intent: string | null
  constructor(kind: PaymentsFailureKind, sentence: string, { code, intent, cause }: PaymentsFailureFacts = {}) {
    super(sentence, { cause })
    this.kind = kind
    this.code = code ?? null
    this.intent = intent ?? null
  }
}

/** An answer of the processor; null where there is no such object. */
export const nullWhereAbsent = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof PaymentsFailure && error.kind === 'not-found') return null
    throw error
  })
