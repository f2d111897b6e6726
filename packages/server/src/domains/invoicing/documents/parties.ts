import type { BillingParty } from '../../organizations/organization.ts'
import type { DocumentBuyer } from './documents.ts'

/** The common fields of a postal address, in reading order. */
const addressFieldOrder = [
  'line1',
  'line2',
  'street',
  'city',
  'suburb',
  'state',
  'region',
  'postcode',
  'postal_code',
  'zip',
]

/** The buyer on a document; the address has all text fields that the organization entered, and its country. */
export const toDocumentBuyer = (party: BillingParty): DocumentBuyer => ({
  name: party.name,
  abn: party.abn,
  tax_number: party.tax_number,
  email: party.billing_email,
  address: addressLines(party.billing_address ?? {}, party.country),
})

function addressLines(address: Readonly<Record<string, unknown>>, country: string | null): string[] {
  const rank = (name: string): number =>
    addressFieldOrder.includes(name) ? addressFieldOrder.indexOf(name) : addressFieldOrder.length
  const lines = Object.keys(address)
    .filter((name) => name !== 'country')
    .sort((left, right) => rank(left) - rank(right))
    .map((name) => address[name])
  return [...lines, country ?? address['country']]
    .filter((line) => typeof line === 'string' || typeof line === 'number')
    .map((line) => String(line).trim())
    .filter((line) => line !== '')
}
