import type Stripe from 'stripe'
import type { PaymentCard, PaymentIntent, PaymentProcessorInvoiceSummary } from '../payments.ts'

/** The objects that every intent request expands. */
export const intent_expand_fields: string[] = ['latest_charge']

const day_s = 24 * 60 * 60

/** The shortest time for which a card network keeps the authorization of an off-session charge. */
const default_authorization_s = 5 * day_s

const fromUnixSeconds = (seconds: number): Date => new Date(seconds * 1000)

const latestCharge = ({ latest_charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof latest_charge === 'object' ? latest_charge : null

const toId = (reference: string | { readonly id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

/**
 * An intent whose bank requires authentication waits for the card holder, even if Stripe reports that it requires another
 * payment method: with the client secret, the same card can still pay.
 */
function toIntentStatus({ status, last_payment_error }: Stripe.PaymentIntent): PaymentIntent['status'] {
  const needsAuthentication =
    last_payment_error?.code === 'authentication_required' ||
    last_payment_error?.decline_code === 'authentication_required'
  return status === 'requires_payment_method' && needsAuthentication
    ? 'requires_action'
    : (status as PaymentIntent['status'])
}

/** Stripe counts the part that a partial capture released as refunded; here it is not. */
function refundedCents(intent: Stripe.PaymentIntent, captured_cents: number): number {
  const released = intent.amount - captured_cents
  return captured_cents === 0 ? 0 : Math.max(0, (latestCharge(intent)?.amount_refunded ?? 0) - released)
}

function captureBefore(intent: Stripe.PaymentIntent): Date | null {
  if (intent.status !== 'requires_capture') return null
  const captureBefore_s = latestCharge(intent)?.payment_method_details?.card?.capture_before
  return fromUnixSeconds(captureBefore_s ?? intent.created + default_authorization_s)
}

/** Converts a Stripe intent. `requested_cents`: the amount of the capture request, for servers that do not return it. */
export function toPaymentIntent(intent: Stripe.PaymentIntent, requested_cents?: number): PaymentIntent {
  const status = toIntentStatus(intent)
  const capturedAmount_cents = status === 'succeeded' ? (intent.amount_received ?? requested_cents ?? intent.amount) : 0
  const failure = intent.last_payment_error
  return {
    id: intent.id,
    status,
    client_secret: intent.client_secret ?? '',
    amount_cents: intent.amount,
    captured_cents: capturedAmount_cents,
    refunded_cents: refundedCents(intent, capturedAmount_cents),
    payment_method: toId(intent.payment_method) ?? toId(failure?.payment_method),
    capture_before: captureBefore(intent),
    decline_code: status === 'requires_payment_method' ? failure?.decline_code || failure?.code || null : null,
    challenge_url: intent.next_action?.redirect_to_url?.url ?? null,
    metadata: intent.metadata,
  }
}

export const toPaymentCard = ({ id, type, card }: Stripe.PaymentMethod): PaymentCard => ({
  id,
  kind: type,
  brand: card?.brand ?? null,
  last4: card?.last4 ?? null,
  exp_month: card?.exp_month ?? null,
  exp_year: card?.exp_year ?? null,
})

export const toPaymentProcessorInvoice = (invoice: Stripe.Invoice): PaymentProcessorInvoiceSummary => ({
  id: invoice.id ?? '',
  number: invoice.number,
  status: invoice.status ?? 'draft',
  currency: invoice.currency,
  total_cents: invoice.total,
  hosted_url: invoice.hosted_invoice_url ?? null,
  pdf_url: invoice.invoice_pdf ?? null,
  created: fromUnixSeconds(invoice.created),
})
