import { domainToASCII } from 'node:url'
import publicMailDomains from 'email-providers'

/** What ends a host name in a URL, where the conversion would stop. */
const urlDelimiters = /[/?#@:\\%[\]]/

const labelPattern = /^(?!-)[a-z\d-]{1,63}(?<!-)$/

/**
 * A domain in the form in which it is stored and compared: ASCII in lower case, without a final dot. Null for text that is not a domain
 * of several labels, such as an IP address.
 */
export function normalizeDomain(text: string): string | null {
  if (urlDelimiters.test(text)) return null
  const domain = domainToASCII(text.trim().normalize('NFC').replace(/\.$/, '')).toLowerCase()
  const labels = domain.split('.')
  const isDomain = domain.length <= 253 && labels.length >= 2 && labels.every((label) => labelPattern.test(label))
  return isDomain && !/^\d+$/.test(labels.at(-1)!) ? domain : null
}

/** The domain of an e-mail address; null for text that is not one. */
export function getEmailDomain(email: string): string | null {
  const at = email.lastIndexOf('@')
  return at <= 0 ? null : normalizeDomain(email.slice(at + 1))
}

const publicDomains: ReadonlySet<string> = new Set(publicMailDomains)

/** True for a domain, or one below it, where anybody gets an address: no organization may speak for all of them. */
export function isPublicMailDomain(domain: string): boolean {
  const labels = domain.split('.')
  return labels.slice(0, -1).some((_, at) => publicDomains.has(labels.slice(at).join('.')))
}

/** The name of the TXT record that proves a domain. */
export const toProofRecordName = (domain: string): string => `_swath-verification.${domain}`

/** The value of the record. */
export const toProofRecordValue = (proof: string): string => `swath-verification=${proof}`
