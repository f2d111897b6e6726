import type { ServiceContainer } from '../../engine/process-services.ts'
import { unsubscribeLinksServiceKey } from './unsubscribe-links.ts'
import { notificationKindNames } from '@swath/contract/notification-kinds.ts'
import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import { notificationTexts } from './texts/texts-by-language.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { refreshSandboxTime } from '../../platform/sandbox/sandbox-times.ts'
import { toNotificationPreferences } from './preferences.ts'
import { listNotificationPreferences, upsertNotificationPreference } from './store.recipients.ts'

interface UnsubscribeDependencies {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly processServices: ServiceContainer
}

/** The description of the e-mails that an unsubscribe link ends, in a language; null for an invalid token. */
export function describeUnsubscribedEmails(
  { processServices }: Pick<UnsubscribeDependencies, 'processServices'>,
  token: string,
  language: AccountLanguage,
): string | null {
  const subject = processServices.get(unsubscribeLinksServiceKey).read(token)
  if (!subject) return null
  const { kinds, page } = notificationTexts[language]
  const kind = notificationKindNames.find((name) => name === subject.kind)
  return kind ? kinds[kind].description : page.digest
}

/** Ends the e-mails of the link; the notifications stay in the console. False for an invalid token. */
export async function unsubscribeFromEmails(dependencies: UnsubscribeDependencies, token: string): Promise<boolean> {
  const { database, clock, processServices } = dependencies
  const subject = processServices.get(unsubscribeLinksServiceKey).read(token)
  if (!subject) return false
  const { organization, user, kind } = subject
  await refreshSandboxTime({ unscoped: database.unscoped, clock }, organization)
  await database.forOrganization(organization).transaction(async (tx) => {
    const ended = toNotificationPreferences(await listNotificationPreferences(tx, organization, user)).filter(
      (preference) => (kind === 'digest' ? preference.email === 'daily' : preference.kind === kind),
    )
    const now = clock.forOrganization(organization).now()
    for (const preference of ended)
      await upsertNotificationPreference(tx, subject, { ...preference, email: 'off' }, now)
  })
  return true
}
