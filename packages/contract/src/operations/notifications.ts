import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { notificationKindNames } from '../notification-kinds.ts'
import { NotificationEmailModeField, Notification, NotificationPreference } from '../schemas/notification.ts'
import { Count, WithDefault, StrictObject, EmptyInput, IdResult, KeepIfNull, Uuid } from '../schemas/primitives.ts'

const NotificationInput = StrictObject({ notification_id: Uuid })

export const notificationsListOperation = operation({
  id: 'notifications.list',
  scope: 'notifications:read',
  effect: 'read',
  summary: 'List the notifications of the caller, newest first.',
  input: StrictObject({ unread_only: WithDefault(Type.Boolean(), false), ...offsetPaging() }),
  output: ListEnvelope('notifications', Notification),
  paging: 'offset',
})

export const notificationsUnreadCountOperation = operation({
  id: 'notifications.unread_count',
  scope: 'notifications:read',
  effect: 'read',
  summary: 'Count the unread notifications of the caller.',
  input: EmptyInput,
  output: Type.Object({ unread_count: Count }),
})

export const notificationsMarkReadOperation = operation({
  id: 'notifications.mark_read',
  scope: 'notifications:write',
  effect: 'compute',
  summary: 'Mark a notification as read.',
  input: NotificationInput,
  output: IdResult,
  problems: ['not-found'],
})

export const notificationsMarkAllReadOperation = operation({
  id: 'notifications.mark_all_read',
  scope: 'notifications:write',
  effect: 'compute',
  summary: 'Mark all notifications of the caller as read.',
  input: EmptyInput,
  output: Type.Object({ marked_count: Count }),
})

export const notificationsDismissOperation = operation({
  id: 'notifications.dismiss',
  scope: 'notifications:write',
  effect: 'compute',
  summary: 'Dismiss a notification: remove it from the list.',
  input: NotificationInput,
  output: IdResult,
  problems: ['not-found'],
})

export const notificationsPreferencesGetOperation = operation({
  id: 'notifications.preferences.get',
  scope: 'notifications:read',
  effect: 'read',
  summary: 'List the kinds of notifications with the channels on which the caller receives them.',
  input: EmptyInput,
  output: Type.Object({ preferences: Type.Array(NotificationPreference) }),
  extension: true,
})

export const notificationsPreferencesSetOperation = operation({
  id: 'notifications.preferences.set',
  scope: 'notifications:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Choose the channels on which the caller receives a kind of notification.',
  input: StrictObject({
    kind: Type.Enum([...notificationKindNames], { description: 'Kind of notification.' }),
    in_app: KeepIfNull(Type.Boolean({ description: 'Whether it is in the list of notifications.' })),
    email: KeepIfNull(NotificationEmailModeField),
  }),
  output: Type.Object({ preference: NotificationPreference }),
  extension: true,
})
