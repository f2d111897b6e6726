import { notificationsPreferencesSetOperation } from '@swath/contract/operations/notifications.ts'
import type { NotificationKindName } from '@swath/contract/notification-kinds.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toPreference } from '../preferences.ts'
import { listPreferences, upsertPreference } from '../store.recipients.ts'

export const handler = defineHandler(notificationsPreferencesSetOperation, async (call, input) => {
  const { organization, principal } = call
  // The contract allows no other name.
  const kind = input.kind as NotificationKindName
  const saved = await call.transaction(async (tx) => {
    const chosen = await listPreferences(tx, organization, principal.id)
    const current = toPreference(
      kind,
      chosen.find((row) => row.kind === kind),
    )
    const preference = {
      kind,
      in_app: input.in_app ?? current.in_app,
      email: input.email ?? current.email,
    }
    await upsertPreference(tx, { organization, user: principal.id }, preference, call.clock.now())
    return preference
  })
  return { preference: toPreference(kind, saved) }
})
