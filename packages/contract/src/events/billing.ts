import Type from 'typebox'
import { Count, Nullable, StrictObject } from '../schemas/primitives.ts'
import {
  AmountInAud,
  defineEvent,
  exampleEntityIds,
  EventTimestamp,
  NullableEventText,
  OptionalEventText,
  EventText,
} from './define-event.ts'

const Balance = { available_credits: Type.Integer(), threshold_credits: Nullable(Count) }
const Dispute = { payment_intent_id: EventText, aud: AmountInAud, held_credits: Count, state: EventText }
const Card = {
  kind: EventText,
  brand: NullableEventText,
  last4: NullableEventText,
  exp_month: Nullable(Type.Integer()),
  exp_year: Nullable(Type.Integer()),
  isDefault: Type.Boolean(),
}
const exampleCard = { kind: 'card', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2027, isDefault: true }

const topupEvents = {
  'topup.succeeded': defineEvent(
    'A top-up was charged.',
    { kind: EventText, credits: Count, aud: AmountInAud, payment_intent_id: NullableEventText, receipt_id: EventText },
    { kind: 'manual', credits: 5000, aud: 50, payment_intent_id: 'pi_3PExample', receipt_id: exampleEntityIds.invoice },
  ),
  'credits.purchased': defineEvent(
    'Credits were bought and granted.',
    { credits: Count, lot_id: NullableEventText },
    { credits: 5000, lot_id: exampleEntityIds.lot },
  ),
  'topup.failed': defineEvent(
    'A top-up was declined.',
    {
      kind: EventText,
      reason: EventText,
      credits: Type.Optional(Count),
      aud: Type.Optional(AmountInAud),
      consecutive_declines: Type.Optional(Count),
    },
    { kind: 'auto', credits: 5000, aud: 50, reason: 'card_declined' },
  ),
  'topup.refunded': defineEvent(
    'Purchased credits were refunded to the card that paid for them.',
    { credits: Count, aud: AmountInAud, taken_credits: Count, credit_note_id: NullableEventText },
    { credits: 2000, aud: 20, taken_credits: 2000, credit_note_id: exampleEntityIds.invoice },
  ),
  'topup.refund_failed': defineEvent(
    'The payment processor rejected a refund; its credits are available again.',
    { credits: Count, aud: AmountInAud },
    { credits: 2000, aud: 20 },
  ),
}

const balanceEvents = {
  'credits.low_balance': defineEvent('The balance fell below its threshold.', Balance, {
    available_credits: 480,
    threshold_credits: 500,
  }),
  'credits.depleted': defineEvent('The balance reached zero.', Balance, {
    available_credits: 0,
    threshold_credits: 500,
  }),
  'credits.expiring': defineEvent(
    'Credits are about to expire.',
    { available_credits: Count, expires_at: Nullable(EventTimestamp), kind: EventText },
    { available_credits: 1000, expires_at: '2026-06-30T00:00:00.000Z', kind: 'promotional' },
  ),
  'hold.ending': defineEvent(
    'A hold is about to expire and cannot be renewed: the order or job that it pays for has to end now.',
    { reference_type: EventText, reason: EventText },
    { reference_type: 'order', reason: 'The hold has expired.' },
  ),
  'hold.expired': defineEvent(
    'A hold expired; nothing was charged.',
    { hold_id: EventText, amount_credits: Count },
    { hold_id: exampleEntityIds.hold, amount_credits: 1200 },
  ),
}

const cardEvents = {
  'dispute.opened': defineEvent('A cardholder disputed a charge; the credits of the charge are held.', Dispute, {
    payment_intent_id: 'pi_3PExample',
    aud: 50,
    held_credits: 5000,
    state: 'open',
  }),
  'dispute.closed': defineEvent('The bank decided a disputed charge.', Dispute, {
    payment_intent_id: 'pi_3PExample',
    aud: 50,
    held_credits: 0,
    state: 'won',
  }),
  'payment.refunded': defineEvent(
    'The card payment of an order was refunded to the card, in full or in part.',
    { aud: AmountInAud, payment_intent_id: EventText, credit_note_id: NullableEventText },
    { aud: 12.5, payment_intent_id: 'pi_3PExample', credit_note_id: exampleEntityIds.invoice },
  ),
  'payment_method.attached': defineEvent('A payment method was attached.', Card, exampleCard),
  'payment_method.detached': defineEvent('A payment method was detached.', Card, exampleCard),
  'payment_method.expiring': defineEvent('A card is about to expire.', Card, exampleCard),
}

const Commitment = {
  name: EventText,
  version: Type.Integer({ minimum: 1 }),
  period_start: EventTimestamp,
  period_end: EventTimestamp,
  committed_aud: AmountInAud,
}
const exampleCommitment = {
  name: 'Coast 2026',
  version: 1,
  period_start: '2026-01-01T00:00:00.000Z',
  period_end: '2027-01-01T00:00:00.000Z',
  committed_aud: 250_000,
}

const invoiceEvents = {
  'commitment.created': defineEvent(
    'A commitment of an enterprise organization was created.',
    Commitment,
    exampleCommitment,
  ),
  'commitment.amended': defineEvent('A commitment was amended; the change applies from now on.', Commitment, {
    ...exampleCommitment,
    version: 2,
  }),
  'commitment.closed': defineEvent(
    'The period of a commitment was closed and the shortfall against its minimum was charged.',
    { name: EventText, committed_aud: AmountInAud, delivered_aud: AmountInAud, shortfall_aud: AmountInAud },
    { name: 'Coast 2026', committed_aud: 250_000, delivered_aud: 240_000, shortfall_aud: 10_000 },
  ),
  'invoice.issued': defineEvent(
    'The invoice for a month was issued.',
    { number: EventText, period: EventText, total_aud: Type.Number(), due_at: EventTimestamp },
    { number: 'IN-000007', period: '2026-03', total_aud: 1234.5, due_at: '2026-04-30T00:00:00.000Z' },
  ),
  'invoice.credited': defineEvent(
    'An invoice was credited, in full or in part.',
    { number: EventText, corrects: EventText, total_aud: AmountInAud },
    { number: 'CR-000005', corrects: 'IN-000007', total_aud: 100 },
  ),
  'invoice.paid': defineEvent(
    'An invoice was paid.',
    { number: EventText, total_aud: AmountInAud },
    { number: 'IN-000007', total_aud: 1234.5 },
  ),
}

const Agreement = { documentId: EventText, title: EventText, version: EventText }
const exampleAgreement = { documentId: 'harbour-eula-2', title: 'Standard licence', version: '2' }

export const organizationEvents = {
  'organization.plan_changed': defineEvent(
    'The plan of the organization was changed; its items have the retention of the new plan.',
    {
      plan: EventText,
      previous_plan: EventText,
      reason: Type.Enum(['first_payment', 'administrator']),
      note: NullableEventText,
    },
    { plan: 'prepaid', previous_plan: 'free', reason: 'first_payment', note: null },
  ),
  'organization.suspended': defineEvent(
    'An operator suspended the organization: it can buy nothing, and its share links are closed.',
    { reason: EventText },
    { reason: 'An invoice of March is unpaid.' },
  ),
  'organization.resumed': defineEvent(
    'An operator ended the suspension of the organization.',
    { reason: EventText },
    { reason: 'The invoice was paid.' },
  ),
  'organization.deletion_scheduled': defineEvent(
    'An owner closes the organization: at this time its imagery, files and credits end.',
    { delete_at: EventTimestamp, reason: NullableEventText },
    { delete_at: '2026-12-26T10:00:00.000Z', reason: 'We have moved.' },
  ),
  'organization.deletion_cancelled': defineEvent('An owner keeps the organization that was to be closed.', {}, {}),
  'organization.delegations_stopped': defineEvent(
    'What a user or an API key had made does not act any more: a user was disabled or left, lost a project, or a key was revoked or has expired.',
    {
      user_id: NullableEventText,
      api_key_id: NullableEventText,
      message: EventText,
      delegations: Type.Array(StrictObject({ kind: EventText, id: EventText, name: EventText })),
    },
    {
      user_id: exampleEntityIds.user,
      api_key_id: null,
      message: 'The user who created it was disabled.',
      delegations: [{ kind: 'api_key', id: exampleEntityIds.lot, name: 'Nightly import' }],
    },
  ),
  'eula.accepted': defineEvent(
    'A version of a licence agreement was accepted for the organization.',
    Agreement,
    exampleAgreement,
  ),
  'eula.withdrawn': defineEvent(
    'The acceptance of a version of a licence agreement was withdrawn.',
    Agreement,
    exampleAgreement,
  ),
  'event_subscription.failing': defineEvent(
    'Every delivery of a subscription has failed for a day; it will be disabled if that does not change.',
    {
      event_type: EventText,
      endpoint_url: EventText,
      failing_since: EventTimestamp,
      disables_at: EventTimestamp,
      last_error: OptionalEventText,
    },
    {
      event_type: 'order.fulfilled',
      endpoint_url: 'https://hooks.example.com/swath',
      failing_since: '2026-03-01T00:00:00.000Z',
      disables_at: '2026-03-06T00:00:00.000Z',
      last_error: 'The endpoint responded with status 500.',
    },
  ),
  'event_subscription.disabled': defineEvent(
    'A subscription was disabled: its endpoint is gone, or every delivery has failed for five days.',
    { event_type: EventText, endpoint_url: EventText, reason: Type.Enum(['gone', 'failing']) },
    { event_type: 'order.fulfilled', endpoint_url: 'https://hooks.example.com/swath', reason: 'failing' },
  ),
}

export const billingEvents = { ...topupEvents, ...balanceEvents, ...cardEvents, ...invoiceEvents }
