import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

/** The delivery of notifications of a kind by e-mail: never, each at once, or together once a day. */
export const notificationEmailModes = ['off', 'immediate', 'daily'] as const
export type NotificationEmailMode = (typeof notificationEmailModes)[number]

/** An in-app message to one user. */
export const Notification = Type.Object({
  id: Uuid,
  kind: Type.String({ description: 'Kind of notification, such as `order.failed` or `alert`.' }),
  title: Type.String(),
  body: Type.String(),
  link: Type.String({ description: 'Where the console shows it: a path below the URL of the server.' }),
  project_id: Nullable(Uuid),
  entity_type: Nullable(Type.String()),
  entity_id: Nullable(Type.String()),
  read_at: Nullable(Timestamp),
  created_at: Timestamp,
})

export const NotificationEmailModeField = Type.Enum([...notificationEmailModes], {
  description: 'E-mail: never (`off`), at once (`immediate`), or in one message a day (`daily`).',
})

/** The channels on which a user receives a kind of notification. */
export const NotificationPreference = Type.Object({
  kind: Type.String(),
  description: Type.String({ description: 'What the notification says.' }),
  in_app: Type.Boolean(),
  email: NotificationEmailModeField,
  is_default: Type.Boolean({ description: 'The user has not chosen.' }),
})

export type Notification = Static<typeof Notification>
export type NotificationPreference = Static<typeof NotificationPreference>
