import type { EventType } from './events.ts'
import type { NotificationEmailMode } from './schemas/notification.ts'

/**
 * Recipients of a notification: those who may read the project of the event; the user who created the entity, or else those who may
 * read its project; owners, admins and the billing role; owners and admins; the user whom the data of the event name as
 * `user_id`.
 */
export type NotificationAudience = 'project' | 'creator' | 'billing' | 'admins' | 'named'

/**
 * The notification that users receive for a kind of event. `{name}` in a text is a member of the data of the event, of
 * a list its length; `{entity_id}` is the id of its entity, `{entity_name}` the name of an order.
 */
export interface NotificationKind {
  readonly event: EventType
  /** When it is sent, for the page of preferences. */
  readonly description: string
  readonly title: string
  readonly body: string
  /** Path of the page of the console that shows it. */
  readonly link: string
  readonly audience: NotificationAudience
  /** Unless the user has chosen; in the console it is always shown by default. */
  readonly email: NotificationEmailMode
}

const order = { link: '/orders/{entity_id}', audience: 'creator' } as const
const standingOrder = { link: '/watch/searches', audience: 'creator' } as const
const money = { link: '/money', audience: 'billing', email: 'immediate' } as const
const webhook = { link: '/build/events', audience: 'admins', email: 'immediate' } as const

/** Every kind of notification. */
export const notificationKinds = {
  alert: {
    event: 'alert.triggered',
    description: 'An alert rule that has this channel was triggered.',
    title: 'Alert: {rule_name}',
    body: 'The {statistic} of {expression} is {value}; the rule triggers when it is {comparison} {threshold}.',
    link: '/watch',
    audience: 'project',
    email: 'immediate',
  },
  'order.fulfilled': {
    ...order,
    event: 'order.fulfilled',
    description: 'An order was delivered.',
    title: 'Order delivered',
    body: '“{entity_name}” was delivered in full; {creditsCaptured} credits were charged.',
    email: 'immediate',
  },
  'order.failed': {
    ...order,
    event: 'order.failed',
    description: 'An order failed permanently.',
    title: 'Order failed',
    body: '“{entity_name}” failed and {creditsRefunded} credits were released. {failureReason}',
    email: 'immediate',
  },
  'order.cancelled': {
    ...order,
    event: 'order.cancelled',
    description: 'An order was cancelled.',
    title: 'Order cancelled',
    body: '“{entity_name}” was cancelled; {creditsCaptured} credits were charged.',
    email: 'off',
  },
  'feasibility.answered': {
    ...order,
    event: 'feasibility.answered',
    description: 'A feasibility study waits for a decision.',
    title: 'Feasibility study ready',
    body: 'The study for “{entity_name}” is ready. Decide by {decideBy}.',
    email: 'immediate',
  },
  'quotation.requested': {
    ...order,
    event: 'quotation.requested',
    description: 'A quotation waits for a decision.',
    title: 'Quotation ready',
    body: 'The price of “{entity_name}” is {creditsPrice} credits. Decide by {decideBy}.',
    email: 'immediate',
  },
  'saved_search.matched': {
    event: 'saved_search.matched',
    description: 'A saved search has new scenes.',
    title: 'New scenes: {name}',
    body: 'The saved search has new scenes at {source_id}: {scene_ids}.',
    link: '/watch/searches',
    audience: 'project',
    email: 'off',
  },
  'standing_order.proposed': {
    ...standingOrder,
    event: 'standing_order.proposed',
    description: 'A standing order proposes a scene.',
    title: 'Scene proposed for {credits} credits',
    body: 'The standing order proposes the scene {scene_id} of {source_id}. {reason}',
    email: 'daily',
  },
  'standing_order.cap_reached': {
    ...standingOrder,
    event: 'standing_order.cap_reached',
    description: 'A standing order has reached its cap of the month.',
    title: 'Standing order at its cap',
    body: 'It has used {month_credits} of {max_credits_per_month} credits and stops until {until}.',
    email: 'daily',
  },
  'standing_order.suspended': {
    ...standingOrder,
    event: 'standing_order.suspended',
    description: 'A standing order was suspended.',
    title: 'Standing order suspended',
    body: '{reason}',
    email: 'immediate',
  },
  'report.delivered': {
    event: 'report.delivered',
    description: 'A scheduled report was generated.',
    title: 'Report: {name}',
    body: 'The scheduled report from {from} to {to} is ready. Its files are attached unless they are too large; they are kept for 90 days.',
    link: '/money/reports?report={entity_id}',
    audience: 'named',
    email: 'immediate',
  },
  'upload.completed': {
    event: 'upload.completed',
    description: 'An upload was ingested.',
    title: 'Upload finished',
    body: 'The upload was ingested. Refused files: {refused_count}.',
    link: '/library/uploads',
    audience: 'project',
    email: 'off',
  },
  'credits.low_balance': {
    ...money,
    event: 'credits.low_balance',
    description: 'The credits fell below their threshold.',
    title: 'Low balance',
    body: '{available_credits} credits are left; the threshold is {threshold_credits}.',
  },
  'credits.depleted': {
    ...money,
    event: 'credits.depleted',
    description: 'No credits are left.',
    title: 'No credits left',
    body: 'Orders and processing stop until credits are bought.',
  },
  'credits.expiring': {
    ...money,
    event: 'credits.expiring',
    description: 'Credits are about to expire.',
    title: 'Credits expire soon',
    body: '{available_credits} credits expire at {expires_at}.',
  },
  'topup.failed': {
    ...money,
    event: 'topup.failed',
    description: 'A top-up was declined.',
    title: 'Top-up declined',
    body: 'The top-up was declined: {reason}.',
  },
  'payment_method.expiring': {
    ...money,
    event: 'payment_method.expiring',
    description: 'A card is about to expire.',
    title: 'Card expires soon',
    body: 'The card ending in {last4} ({brand}) expires in {exp_month}/{exp_year}.',
  },
  'dispute.opened': {
    ...money,
    event: 'dispute.opened',
    description: 'A cardholder disputed a charge.',
    title: 'Charge disputed',
    body: 'A charge of {aud} AUD is disputed; {held_credits} credits are held.',
  },
  'invoice.issued': {
    ...money,
    event: 'invoice.issued',
    description: 'The invoice of a month was issued.',
    title: 'Invoice {number}',
    body: 'The invoice for {period} is {total_aud} AUD, due at {due_at}.',
  },
  'event_subscription.failing': {
    ...webhook,
    event: 'event_subscription.failing',
    description: 'A webhook endpoint has failed for a day.',
    title: 'Webhook endpoint failing',
    body: 'Every delivery of {event_type} to {endpoint_url} has failed since {failing_since}. It will be disabled at {disables_at}.',
  },
  'event_subscription.disabled': {
    ...webhook,
    event: 'event_subscription.disabled',
    description: 'A webhook subscription was disabled.',
    title: 'Webhook disabled',
    body: 'The subscription of {event_type} to {endpoint_url} was disabled: {reason}.',
  },
  'invitation.accepted': {
    event: 'invitation.accepted',
    description: 'Somebody who was invited has joined the organization.',
    title: '{email} has joined',
    body: 'The invitation with the role {role} was accepted.',
    link: '/team',
    audience: 'admins',
    email: 'off',
  },
  'ownership.transferred': {
    event: 'organization.ownership_transferred',
    description: 'The organization has another owner.',
    title: '{email} owns the organization now',
    body: '{former_owner_email} has handed the organization over, and is an admin of it.',
    link: '/team',
    audience: 'admins',
    email: 'immediate',
  },
  'support_access.requested': {
    event: 'support_access.requested',
    description: 'An operator of the platform asks to read in the organization.',
    title: '{operator_email} asks for support access',
    body: '{reason} An owner can grant it for a time, or refuse it.',
    link: '/team/security',
    audience: 'admins',
    email: 'immediate',
  },
  'delegations.stopped': {
    event: 'organization.delegations_stopped',
    description: 'Keys, links, webhooks or schedules have stopped because who made them may not act any more.',
    title: '{delegations} keys, links or schedules have stopped',
    body: '{message} An owner or admin can take over what should go on.',
    link: '/team',
    audience: 'admins',
    email: 'immediate',
  },
} as const satisfies Readonly<Record<string, NotificationKind>>

export type NotificationKindName = keyof typeof notificationKinds

/** The names of all kinds. */
export const notificationKindNames = Object.keys(notificationKinds) as readonly NotificationKindName[]
