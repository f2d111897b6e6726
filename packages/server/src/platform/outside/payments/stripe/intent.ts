import type Stripe from 'stripe'
import type { Card, Intent, ProcessorInvoiceFacts } from '../payments.ts'

/** The objects that every intent request expands. */
export const expanded: string[] = ['latest_charge']

const day_s = 24 * 60 * 60

/** The shortest time for which a card network keeps the authorization of an off-session charge. */
const authorised_s = 5 * day_s

const dateOf = (seconds: number): Date => new Date(seconds * 1000)

const chargeOf = ({ latest_charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof latest_charge === 'object' ? latest_charge : null

const idOf = (thing: string | { readonly id: string } | null | undefined): string | null =>
  typeof thing === 'string' ? thing : (thing?.id ?? null)

/**
 * An intent whose bank requires authentication waits for the card holder, even if Stripe reports that it requires another
 * payment method: with the client secret, the same card can still pay.
 */
function statusOf({ status, last_payment_error }: Stripe.PaymentIntent): Intent['status'] {
  const waits =
    last_payment_error?.code === 'authentication_required' ||
    last_payment_error?.decline_code === 'authentication_required'
  return status === 'requires_payment_method' && waits ? 'requires_action' : (status as Intent['status'])
}

/** Stripe counts the part that a partial capture released as refunded; here it is not. */
function refundedOf(intent: Stripe.PaymentIntent, captured_cents: number): number {
  const released = intent.amount - captured_cents
  return captured_cents === 0 ? 0 : Math.max(0, (chargeOf(intent)?.amount_refunded ?? 0) - released)
}

function captureBefore(intent: Stripe.PaymentIntent): Date | null {
  if (intent.status !== 'requires_capture') return null
  const told = chargeOf(intent)?.payment_method_details?.card?.capture_before
  return dateOf(told ?? intent.created + authorised_s)
}

/** Converts a Stripe intent. `requested_cents`: the amount of the capture request, for servers that do not return it. */
export function intentOf(intent: Stripe.PaymentIntent, captured?: number): Intent {
  const status = statusOf(intent)
  const taken = status === 'succeeded' ? (intent.amount_received ?? captured ?? intent.amount) : 0
  const failure = intent.last_payment_error
  return {
    id: intent.id,
    status,
    client_secret: intent.client_secret ?? '',
    amount_cents: intent.amount,
    captured_cents: taken,
    refunded_cents: refundedOf(intent, taken),
    payment_method: idOf(intent.payment_method) ?? idOf(failure?.payment_method),
    capture_before: captureBefore(intent),
    decline_code: status === 'requires_payment_method' ? failure?.decline_code || failure?.code || null : null,
    challenge_url: intent.next_action?.redirect_to_url?.url ?? null,
    metadata: intent.metadata,
  }
}

export const cardOf = ({ id, type, card }: Stripe.PaymentMethod): Card => ({
  id,
  kind: type,
  brand: card?.brand ?? null,
  last4: card?.last4 ?? null,
  exp_month: card?.exp_month ?? null,
  exp_year: card?.exp_year ?? null,
})

export const invoiceOf = (invoice: Stripe.Invoice): ProcessorInvoiceFacts => ({
  id: invoice.id ?? '',
  number: invoice.number,
  status: invoice.status ?? 'draft',
  currency: invoice.currency,
  total_cents: invoice.total,
  hosted_url: invoice.hosted_invoice_url ?? null,
  pdf_url: invoice.invoice_pdf ?? null,
  created: dateOf(invoice.created),
})
