import {
  notificationKindNames,
  notificationKinds,
  type NotificationKind,
  type NotificationKindName,
} from '@swath/contract/notification-kinds.ts'
import type { NotificationEmailMode, NotificationPreference } from '@swath/contract/schemas/notification.ts'
import type { PreferenceRow } from './store.recipients.ts'

/** The channels on which a user receives a kind. */
export interface Channels {
  readonly in_app: boolean
  readonly email: NotificationEmailMode
}

/** The chosen channels, and the default ones where nothing was chosen. */
export const channelsOf = (
  { email }: NotificationKind,
  chosen: { readonly in_app: boolean | null; readonly email: NotificationEmailMode | null } | undefined,
): Channels => ({ in_app: chosen?.in_app ?? true, email: chosen?.email ?? email })

/** The representation of the preference for a kind. */
export function toPreference(kind: NotificationKindName, chosen: PreferenceRow | undefined): NotificationPreference {
  const definition: NotificationKind = notificationKinds[kind]
  const { in_app, email } = channelsOf(definition, chosen)
  return { kind, description: definition.description, in_app, email, is_default: chosen === undefined }
}

/** The preferences for all kinds, from what a user has chosen. */
export function toPreferences(chosen: readonly PreferenceRow[]): NotificationPreference[] {
  const byKind = new Map(chosen.map((row) => [row.kind, row]))
  return notificationKindNames.map((kind) => toPreference(kind, byKind.get(kind)))
}
