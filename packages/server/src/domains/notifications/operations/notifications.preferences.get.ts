import { notificationsPreferencesGetOperation } from '@swath/contract/operations/notifications.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { inboxOwner } from '../inbox.ts'
import { toPreferences } from '../preferences.ts'
import { listPreferences } from '../store.recipients.ts'

export const handler = defineHandler(notificationsPreferencesGetOperation, async (call) => {
  const user = inboxOwner(call)
  return { preferences: toPreferences(user === null ? [] : await listPreferences(call.db, call.organization, user)) }
})
