import { notificationsPreferencesGetOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findInboxOwner } from '../inbox.ts'
import { toNotificationPreferences } from '../preferences.ts'
import { listNotificationPreferences } from '../store.recipients.ts'

export const handler = defineHandler(notificationsPreferencesGetOperation, async (call) => {
  const user = findInboxOwner(call)
  return {
    preferences: toNotificationPreferences(
      user === null ? [] : await listNotificationPreferences(call.db, call.organization, user),
    ),
  }
})
