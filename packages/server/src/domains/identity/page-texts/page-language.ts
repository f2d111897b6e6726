import Negotiator from 'negotiator'
import { accountLanguages, type AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import type { IdentityEndpointRequest } from '../oauth.ts'

/** Longer lists of languages are not read: nobody prefers so many. */
const max_list_length = 500

const isLanguage = (text: string | undefined): text is AccountLanguage =>
  accountLanguages.some((language) => language === text)

/** The first of some languages, such as `fr-CH`, that pages speak; null if they speak none of them. */
function findSpoken(header: string): AccountLanguage | null {
  if (header.length > max_list_length) return null
  const [first] = new Negotiator({ headers: { 'accept-language': header } }).languages([...accountLanguages])
  return isLanguage(first) ? first : null
}

/** Languages separated by spaces in the order of preference, as a header has them. */
const toWeightedList = (locales: string): string =>
  locales
    .split(/\s+/)
    .slice(0, 20)
    .map((locale, at) => `${locale};q=${(1 - at / 100).toFixed(2)}`)
    .join(',')

/**
 * The language of the page that answers a request: that of the parameter `ui_locales` (OpenID Connect core 3.1.2.1), else that of the
 * browser (RFC 9110 12.5.4), else English.
 */
export function choosePageLanguage({
  query,
  form,
  acceptLanguage,
}: Pick<IdentityEndpointRequest, 'query' | 'form' | 'acceptLanguage'>): AccountLanguage {
  const wanted = (query.get('ui_locales') ?? form.get('ui_locales') ?? '').trim()
  const fromClient = wanted === '' ? null : findSpoken(toWeightedList(wanted))
  return fromClient ?? findSpoken(acceptLanguage ?? '') ?? 'en'
}
