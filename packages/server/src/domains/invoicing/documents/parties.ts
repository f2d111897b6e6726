import type { BillingParty } from '../../organizations/organization.ts'
import type { SellerSettings } from '../../../platform/seller.ts'
import { toCountryCode } from './countries.ts'
import type { DocumentBuyer, DocumentPurpose, DocumentSeller } from './billing-document.ts'

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

/** The seller on a document. One of play money names no tax number and no bank account. */
export const toDocumentSeller = (
  { name, abn, address, email, bank, payment_terms }: SellerSettings,
  purpose: DocumentPurpose,
): DocumentSeller =>
  purpose === 'billing'
    ? { name, abn, address, email, bank, payment_terms }
    : { name, abn: null, address, email, bank: null, payment_terms: null }

/** The buyer on a document; the address has all text fields that the organization entered, and its country. */
export const toDocumentBuyer = (party: BillingParty): DocumentBuyer => ({
  name: party.name,
  abn: party.abn,
  tax_number: party.tax_number,
  email: party.billing_email,
  address: addressLines(party.billing_address ?? {}, party.country),
  country: toCountryCode(party.country),
  purchase_order_number: party.purchase_order_number,
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
