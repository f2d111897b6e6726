import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import { chooseAcceptedLanguage, findAcceptedLanguage } from '../../../platform/html/accepted-language.ts'
import type { IdentityEndpointRequest } from '../oauth.ts'

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
  const fromClient = wanted === '' ? null : findAcceptedLanguage(toWeightedList(wanted))
  return fromClient ?? chooseAcceptedLanguage(acceptLanguage)
}
