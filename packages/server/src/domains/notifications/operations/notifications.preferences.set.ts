import { notificationsPreferencesSetOperation } from '@swath/contract/operations/notifications.ts'
import type { NotificationKindName } from '@swath/contract/notification-kinds.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toNotificationPreference } from '../preferences.ts'
import { listNotificationPreferences, upsertNotificationPreference } from '../store.recipients.ts'

export const handler = defineHandler(notificationsPreferencesSetOperation, async (call, input) => {
  const { organization, principal } = call
  // The contract allows no other name.
  const kind = input.kind as NotificationKindName
  const saved = await call.transaction(async (tx) => {
    const chosen = await listNotificationPreferences(tx, organization, principal.id)
    const current = toNotificationPreference(
      kind,
      chosen.find((row) => row.kind === kind),
    )
    const preference = {
      kind,
      in_app: input.in_app ?? current.in_app,
      email: input.email ?? current.email,
    }
    await upsertNotificationPreference(tx, { organization, user: principal.id }, preference, call.clock.now())
    return preference
  })
  return { preference: toNotificationPreference(kind, saved) }
})
