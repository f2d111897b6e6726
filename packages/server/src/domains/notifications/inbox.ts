import type { Notification } from '@swath/contract/schemas/notification.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { readableProjectsSql } from '../projects/access.ts'
import type { NotificationInboxScope, NotificationRow } from './store.ts'

/** The user whose inbox it is; null for an API key, whose inbox is empty. */
export const findInboxOwner = ({ principal }: Pick<Call, 'principal'>): string | null =>
  principal.kind === 'human' ? principal.id : null

/** The inbox of the caller with what may be read now; null for an API key. */
export function findCallerInbox(call: Call): NotificationInboxScope | null {
  const user = findInboxOwner(call)
  return user === null ? null : { organization: call.organization, user, projects: readableProjectsSql(call) }
}

export const notificationNotFound = (id: string): Problem =>
  new Problem('not-found', `No notification has the id "${id}".`)

/** The representation of a notification. */
export const toNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  body: row.body,
  link: row.link,
  project_id: row.project_id,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  read_at: row.read_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
