import Negotiator from 'negotiator'
import { accountLanguages, type AccountLanguage } from '@swath/contract/schemas/people/account.ts'

/** Longer lists of languages are not read: nobody prefers so many. */
const max_list_length = 500

const isLanguage = (text: string | undefined): text is AccountLanguage =>
  accountLanguages.some((language) => language === text)

/**
 * The first language of an Accept-Language header (RFC 9110 12.5.4) that pages have, also for one such as `fr-CH`; null if they have
 * none of them.
 */
export function findAcceptedLanguage(header: string): AccountLanguage | null {
  if (header.length > max_list_length) return null
  const [first] = new Negotiator({ headers: { 'accept-language': header } }).languages([...accountLanguages])
  return isLanguage(first) ? first : null
}

/** The language of a page that answers this header; English without one that pages have. */
export const chooseAcceptedLanguage = (header: string | null | undefined): AccountLanguage =>
  findAcceptedLanguage(header ?? '') ?? 'en'
