import {
  notificationKindNames,
  notificationKinds,
  type NotificationKind,
  type NotificationKindName,
} from '@swath/contract/notification-kinds.ts'
import type { NotificationEmailMode, NotificationPreference } from '@swath/contract/schemas/notification.ts'
import type { NotificationPreferenceRow } from './store.recipients.ts'

/** The channels on which a user receives a kind. */
export interface NotificationChannels {
  readonly in_app: boolean
  readonly email: NotificationEmailMode
}

/** The chosen channels, and the default ones where nothing was chosen. */
export const resolveNotificationChannels = (
  { email }: NotificationKind,
  chosen: { readonly in_app: boolean | null; readonly email: NotificationEmailMode | null } | undefined,
): NotificationChannels => ({ in_app: chosen?.in_app ?? true, email: chosen?.email ?? email })

/** The representation of the preference for a kind. */
export function toNotificationPreference(
  kind: NotificationKindName,
  chosen: NotificationPreferenceRow | undefined,
): NotificationPreference {
  const definition: NotificationKind = notificationKinds[kind]
  const { in_app, email } = resolveNotificationChannels(definition, chosen)
  return { kind, description: definition.description, in_app, email, is_default: chosen === undefined }
}

/** The preferences for all kinds, from what a user has chosen. */
export function toNotificationPreferences(chosen: readonly NotificationPreferenceRow[]): NotificationPreference[] {
  const byKind = new Map(chosen.map((row) => [row.kind, row]))
  return notificationKindNames.map((kind) => toNotificationPreference(kind, byKind.get(kind)))
}
