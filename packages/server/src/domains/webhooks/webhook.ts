import type { WorkspaceWebhook } from '@swath/contract/schemas/subscription.ts'
import { webhookEvents, type WebhookEvent } from '@swath/contract/webhook-events.ts'
import type { EventType } from '@swath/contract/events.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { findManageableSubscriptionScope } from '../event_subscriptions/subscription.ts'
import { requireAuthorityOver } from '../organizations/membership.ts'
import { requireWorkspace } from '../projects/workspace.ts'
import { findWebhook, type WebhookRow, type ManagedWebhookFilter } from './store.ts'

/** The webhooks of a workspace that the caller manages. Throws what `requireWorkspace` throws. */
export async function resolveWebhookScope(call: Call, workspace_id: string): Promise<ManagedWebhookFilter> {
  const { id: project } = await requireWorkspace(call, workspace_id, 'read')
  return { ...(await findManageableSubscriptionScope(call)), project }
}

/** The webhook, locked in a transaction if requested. Throws `not-found`. */
export async function requireWebhook(
  db: SqlStatementRunner,
  scope: ManagedWebhookFilter,
  id: string,
  lock = false,
): Promise<WebhookRow> {
  const row = await findWebhook(db, scope, id, lock)
  if (!row) throw new Problem('not-found', `No webhook of the workspace has the id "${id}".`)
  return row
}

/** The webhook, for operations that act on it: throws `forbidden`, too, if its creator has a higher role than the caller. */
export async function requireChangeableWebhook(
  call: Call,
  scope: ManagedWebhookFilter,
  id: string,
): Promise<WebhookRow> {
  const row = await requireWebhook(call.db, scope, id)
  await requireAuthorityOver(call, row.created_by)
  return row
}

/** The event types that events of webhooks stand for. */
export const listEventTypesOfWebhookEvents = (events: readonly string[]): EventType[] =>
  events.flatMap((event) => [...webhookEvents[event as WebhookEvent].event_types])

export const toWebhook = (row: WebhookRow): WorkspaceWebhook => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: row.events as WebhookEvent[],
  active: row.active,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
