import { day_ms, hour_ms } from '@swath/geo/time-units.ts'
import { notificationKinds, type NotificationKind } from '@swath/contract/notification-kinds.ts'
import { shiftTime, type OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { EventHandler, EventHandlers, PublishedEvent } from '../../platform/queue/queue.ts'
import { findFirstEvents } from '../events/entity-events.ts'
import { resolveNotificationChannels, type NotificationChannels } from './preferences.ts'
import { renderNotification } from './render-text.ts'
import { insertEmails } from './store.emails.ts'
import { findNotifiedEvent, listNotificationRecipients, type NotifiedEventRow } from './store.recipients.ts'
import { insertNotifications, type NewNotification } from './store.ts'

/** The handler of each event that has a kind of notification. */
export const notificationHandlers: EventHandlers = Object.fromEntries(
  Object.entries<NotificationKind>(notificationKinds).map(([kind, definition]) => [
    definition.event,
    [notifyMembers(kind, definition)],
  ]),
)

/**
 * Writes the notifications of an event in its transaction, so that nobody is notified of changes that are rolled back,
 * and a screen that sees the event finds them. E-mails are written as rows, which a sweep sends.
 */
function notifyMembers(kind: string, definition: NotificationKind): EventHandler {
  return async (tx: Tx, { organization_id, event_id }: PublishedEvent, now: OrganizationTime): Promise<void> => {
    const event = await findNotifiedEvent(tx, organization_id, event_id)
    if (!event) return
    const { audience } = definition
    const creator = audience === 'creator' ? await findEntityCreator(tx, organization_id, event) : null
    const recipients = await listNotificationRecipients(tx, organization_id, event, { kind, audience, creator })
    const rows = recipients
      .map((recipient) => ({
        recipient,
        channels: limitChannels(resolveNotificationChannels(definition, recipient), event),
      }))
      .filter(({ channels }) => channels.in_app || channels.email !== 'off')
      .map(({ recipient, channels }) => createRow({ kind, definition, event, channels, user: recipient.user_id, now }))
    const mails = rows.flatMap(({ email_id, user_id }) => (email_id === null ? [] : [{ id: email_id, user_id, kind }]))
    await insertEmails(tx, organization_id, mails, now)
    await insertNotifications(tx, organization_id, rows)
  }
}

/** The user who caused the first event about the entity of an event. */
export async function findEntityCreator(
  tx: Tx,
  organization: string,
  { entity_type: type, entity_id: id }: Pick<NotifiedEventRow, 'entity_type' | 'entity_id'>,
): Promise<string | null> {
  const [first] = await findFirstEvents(tx, organization, [{ type, id }])
  return first?.actor_id ?? null
}

/** An alert goes to the channels of its rule only. */
function limitChannels(channels: NotificationChannels, { data }: NotifiedEventRow): NotificationChannels {
  const allowed = data['channels']
  if (!Array.isArray(allowed)) return channels
  return {
    in_app: channels.in_app && allowed.includes('in_app'),
    email: allowed.includes('email') ? channels.email : 'off',
  }
}

interface NotificationInput {
  readonly kind: string
  readonly definition: NotificationKind
  readonly event: NotifiedEventRow
  readonly channels: NotificationChannels
  readonly user: string
  readonly now: OrganizationTime
}

function createRow({ kind, definition, event, channels, user, now }: NotificationInput): NewNotification {
  const { title, body, link } = definition
  return {
    id: newId(),
    user_id: user,
    event_id: event.id,
    kind,
    ...renderNotification({ title, body, link }, event),
    project_id: event.project_id,
    entity_type: event.entity_type,
    entity_id: event.entity_id,
    is_in_app: channels.in_app,
    email_id: channels.email === 'immediate' ? newId() : null,
    digest_at: channels.email === 'daily' ? computeNextDigestTime(now) : null,
    created_at: now,
  }
}

/** Daily e-mails are due at 7:00 UTC. */
const digest_offset_ms = 7 * hour_ms

/** The due time of the daily e-mail that contains events of now. */
export function computeNextDigestTime(now: OrganizationTime): OrganizationTime {
  const since_ms = (now.getTime() - digest_offset_ms) % day_ms
  return shiftTime(now, day_ms - since_ms)
}
