import type { EventType } from '@swath/contract/events.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import {
  deleteEventSubscription,
  insertEventSubscription,
  lockEventSubscriptionsOfWebhook,
  updateEventSubscriptionSecret,
  updateEventSubscription,
  type EventSubscriptionRow,
} from './store.ts'
import { requireEventSubscriptionQuota } from './subscription.ts'

/** The settings that the subscriptions of a webhook share. */
export interface WebhookSettings {
  readonly organization_id: string
  readonly webhook_id: string
  readonly project_id: string
  readonly event_types: readonly EventType[]
  readonly endpoint_url: string
  readonly description: string
  readonly active: boolean
  readonly created_by: string | null
  readonly created_by_key: string | null
  /** Null keeps that of the existing subscriptions. */
  readonly sealed_secret: string | null
}

/**
 * Makes the subscriptions of a webhook those of the event types, with these settings: others are deleted, missing ones are
 * added. Throws `quota-exceeded`.
 */
export async function writeWebhookEventSubscriptions(
  tx: Tx,
  settings: WebhookSettings,
  now: OrganizationTime,
): Promise<void> {
  const { organization_id, webhook_id, event_types } = settings
  const rows = await lockEventSubscriptionsOfWebhook(tx, organization_id, webhook_id)
  const present = new Set<string>(rows.map(({ event_type }) => event_type))
  const missing = event_types.filter((type) => !present.has(type))
  if (missing.length > 0) await requireEventSubscriptionQuota(tx, organization_id, missing.length)
  for (const row of rows) {
    if (event_types.some((type) => type === row.event_type)) await changeSubscription(tx, row, settings, now)
    else await deleteEventSubscription(tx, organization_id, row.id)
  }
  for (const event_type of missing) await addSubscription(tx, { event_type, present: rows[0] }, settings, now)
}

async function changeSubscription(
  tx: Tx,
  row: EventSubscriptionRow,
  { endpoint_url, description, active, sealed_secret }: WebhookSettings,
  now: OrganizationTime,
): Promise<void> {
  await updateEventSubscription(tx, { ...row, endpoint_url, description, active }, now)
  if (sealed_secret === null) return
  await updateEventSubscriptionSecret(
    tx,
    { ...row, sealed_secret, previous_sealed_secret: null, previous_secret_expires_at: null },
    now,
  )
}

async function addSubscription(
  tx: Tx,
  { event_type, present }: { readonly event_type: EventType; readonly present: EventSubscriptionRow | undefined },
  settings: WebhookSettings,
  now: OrganizationTime,
): Promise<void> {
  const { organization_id, webhook_id, project_id, endpoint_url, description, active, created_by, created_by_key } =
    settings
  const inserted = await insertEventSubscription(
    tx,
    {
      organization_id,
      id: newId(),
      event_type,
      endpoint_url,
      filter_config: {},
      description,
      created_by,
      created_by_key,
      sealed_secret: settings.sealed_secret ?? present!.sealed_secret,
      sealed_headers: null,
      webhook_id,
      project_id,
    },
    now,
  )
  if (!active) await updateEventSubscription(tx, { ...inserted, active }, now)
}
