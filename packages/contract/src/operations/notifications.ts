import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { Notification } from '../shapes/notification.ts'
import { Count, Default, Input, NoInput, OnlyId, Uuid } from '../shapes/primitives.ts'

const one = Input({ notification_id: Uuid })

export const notificationsList = operation({
  id: 'notifications.list',
  scope: 'notifications:read',
  effect: 'read',
  summary: 'List the notifications of the caller, newest first.',
  input: Input({ unread_only: Default(Type.Boolean(), false), ...offsetPaging(limits.short_offset_limit) }),
  output: List('notifications', Notification),
  paging: 'offset',
})

export const notificationsUnreadCount = operation({
  id: 'notifications.unread_count',
  scope: 'notifications:read',
  effect: 'read',
  summary: 'Count the unread notifications of the caller.',
  input: NoInput,
  output: Type.Object({ unread_count: Count }),
})

export const notificationsMarkRead = operation({
  id: 'notifications.mark_read',
  scope: 'notifications:write',
  effect: 'compute',
  summary: 'Mark a notification as read.',
  input: one,
  output: OnlyId,
  problems: ['not-found'],
})

export const notificationsMarkAllRead = operation({
  id: 'notifications.mark_all_read',
  scope: 'notifications:write',
  effect: 'compute',
  summary: 'Mark all notifications of the caller as read.',
  input: NoInput,
  output: Type.Object({ marked_count: Count }),
})

export const notificationsDismiss = operation({
  id: 'notifications.dismiss',
  scope: 'notifications:write',
  effect: 'compute',
  summary: 'Dismiss a notification: remove it from the list.',
  input: one,
  output: OnlyId,
  problems: ['not-found'],
})
