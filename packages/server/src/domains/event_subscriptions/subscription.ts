import { limits } from '@swath/contract/limits.ts'
import { eventDefinitions, type EventType } from '@swath/contract/events.ts'
import { deliveryTestEndpointUrl, type EventSubscription } from '@swath/contract/schemas/subscription.ts'
import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { SafeFetchFailure } from '../../platform/integrations/integrations.ts'
import { getOrganizationRole, requireAuthorityOver } from '../organizations/membership.ts'
import { findCustomHeaderErrors, redactCustomHeaders, type WebhookCustomHeaders } from './custom-headers.ts'
import { findEventFilterErrors, type EventFilterConfig } from './event-filter.ts'
import {
  lockAndCountEventSubscriptions,
  findEventSubscription,
  type EventSubscriptionRow,
  type EventSubscriptionScope,
} from './store.ts'
import { decryptCustomHeaders } from './subscription-secrets.ts'
import { webhookServicesKey, type WebhookServices } from './webhook-services.ts'

/** Owners and admins manage all subscriptions, others their own: the log of a delivery shows what its creator may see. */
export async function findManageableSubscriptionScope(call: Call): Promise<EventSubscriptionScope> {
  const role = await getOrganizationRole(call)
  const managesAll = role === 'owner' || role === 'admin'
  return { organization: call.organization, creator: managesAll ? null : call.principal.user }
}

const unknownSubscription = (id: string): Problem =>
  new Problem('not-found', `No event subscription has the id "${id}".`)

/** The subscription, if the caller manages it. Throws `not-found`. */
export async function requireEventSubscription(call: Call, id: string): Promise<EventSubscriptionRow> {
  const row = await findEventSubscription(call.db, await findManageableSubscriptionScope(call), id)
  if (!row) throw unknownSubscription(id)
  return row
}

/** The same for operations that act on it: throws `forbidden`, too, if its creator has a higher role than the caller. */
export async function requireChangeableEventSubscription(call: Call, id: string): Promise<EventSubscriptionRow> {
  const row = await requireEventSubscription(call, id)
  await requireAuthorityOver(call, row.created_by)
  return row
}

/** The subscription with its row locked until the transaction ends; `scope` is read before the transaction begins. */
export async function lockEventSubscription(
  tx: Tx,
  scope: EventSubscriptionScope,
  id: string,
): Promise<EventSubscriptionRow> {
  const row = await findEventSubscription(tx, scope, id, true)
  if (!row) throw unknownSubscription(id)
  return row
}

/** Throws `invalid-state` unless deliveries are sent. */
export function requireActiveEventSubscription({ active }: EventSubscriptionRow): void {
  if (!active) throw new Problem('invalid-state', 'The subscription is paused; activate it first.')
}

/** Throws `invalid-state` if the subscription is a part of a webhook, whose subscriptions change together. */
export function requireEventSubscriptionWithoutWebhook({ webhook_id }: EventSubscriptionRow): void {
  if (webhook_id !== null)
    throw new Problem(
      'invalid-state',
      `The subscription is a part of the webhook "${webhook_id}"; change that instead.`,
    )
}

/** Throws `quota-exceeded` if the organization cannot have so many more subscriptions. */
export async function requireEventSubscriptionQuota(tx: Tx, organization: string, added = 1): Promise<void> {
  if ((await lockAndCountEventSubscriptions(tx, organization)) + added <= limits.max_event_subscriptions) return
  const max = limits.max_event_subscriptions
  throw new Problem('quota-exceeded', `The organization has ${max} event subscriptions; delete one that is not needed.`)
}

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventDefinitions, type)

export interface EventSubscriptionFields {
  readonly event_type: string
  readonly endpoint_url?: string | null
  readonly filter_config?: EventFilterConfig | null
  readonly headers?: WebhookCustomHeaders | null
}

/**
 * Throws `validation` unless the event type exists, filter and headers are allowed, and the URL points to a public host now
 * or is that of the test inbox.
 * Resolves the host name, so it must not be called inside a transaction.
 */
export async function validateEventSubscription(call: Call, fields: EventSubscriptionFields): Promise<void> {
  const { event_type, endpoint_url, filter_config, headers } = fields
  const errors = isEventType(event_type)
    ? findEventFilterErrors(event_type, filter_config ?? {})
    : [{ path: 'event_type', message: 'is not an event type; event_types.list has all' }]
  errors.push(...findCustomHeaderErrors(headers ?? {}))
  if (errors.length === 0 && endpoint_url) errors.push(...(await endpointErrors(call, 'endpoint_url', endpoint_url)))
  if (errors.length > 0) throw validationProblem(errors)
}

/** Throws `validation` for the field `path` unless the URL points to a public host now. Not for use inside a transaction. */
export async function validateEndpointUrl(call: Call, path: string, url: string): Promise<void> {
  const errors = await endpointErrors(call, path, url)
  if (errors.length > 0) throw validationProblem(errors)
}

async function endpointErrors(call: Call, path: string, endpoint_url: string): Promise<FieldError[]> {
  if (endpoint_url === deliveryTestEndpointUrl) return []
  const { own_host } = call.processServices.get(webhookServicesKey)
  if (own_host !== null && URL.canParse(endpoint_url) && new URL(endpoint_url).host === own_host)
    return [{ path, message: 'must not point to this service itself' }]
  try {
    await call.integrations.checkUrl(endpoint_url)
    return []
  } catch (error) {
    if (!(error instanceof SafeFetchFailure)) throw error
    return [{ path, message: `is not allowed: ${error.message}` }]
  }
}

export const redactedSecret = '[redacted]'

/** The representation of a subscription; `secret` only where it is shown once. */
export const toEventSubscription = (
  webhooks: WebhookServices,
  row: EventSubscriptionRow,
  secret: string = redactedSecret,
): EventSubscription => ({
  id: row.id,
  organization_id: row.organization_id,
  event_type: row.event_type,
  endpoint_url: row.endpoint_url,
  filter_config: { ...row.filter_config },
  headers: redactCustomHeaders(decryptCustomHeaders(webhooks, row.sealed_headers)),
  description: row.description,
  active: row.active,
  secret,
  failing_since: row.failing_since?.toISOString() ?? null,
  held_until: row.held_until?.toISOString() ?? null,
  disabled_reason: row.disabled_reason,
  webhook_id: row.webhook_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
