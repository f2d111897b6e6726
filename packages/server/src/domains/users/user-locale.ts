import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import type { Database } from '../../platform/database/database.ts'
import { findAccount, findAccountByEmail } from './store.accounts.ts'
import { toEmailKey } from './users.ts'

/** The language and the time zone that somebody has chosen for e-mails. */
export interface UserLocale {
  readonly language: AccountLanguage
  /** A name of the IANA database. */
  readonly time_zone: string
}

/** Of somebody who has chosen nothing. */
export const defaultUserLocale: UserLocale = { language: 'en', time_zone: 'UTC' }

export const findUserLocale = async ({ unscoped }: Pick<Database, 'unscoped'>, user: string): Promise<UserLocale> =>
  (await findAccount(unscoped, user)) ?? defaultUserLocale

/** That of the account with an address; null if no account has it. */
export const findUserLocaleByEmail = (
  { unscoped }: Pick<Database, 'unscoped'>,
  email: string,
): Promise<UserLocale | null> => findAccountByEmail(unscoped, toEmailKey(email))

/** A time in full, with the time zone. */
export const formatTimeInLocale = ({ language, time_zone }: UserLocale, time: Date): string =>
  new Intl.DateTimeFormat(language, {
    timeZone: time_zone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(time)
