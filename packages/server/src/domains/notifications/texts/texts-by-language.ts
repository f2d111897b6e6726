import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import type { NotificationTexts } from './notification-texts.ts'

export const notificationTexts: Readonly<Record<AccountLanguage, NotificationTexts>> = {
  en: english,
  de: german,
  fr: french,
}
