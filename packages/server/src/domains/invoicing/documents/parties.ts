import type { BillingParty } from '../../organizations/store.ts'
import type { SellerSettings } from '../../../platform/seller.ts'
import { toCountryCode, toCountryName } from './countries.ts'
import type { DocumentBuyer, DocumentPurpose, DocumentSeller } from './billing-document.ts'

/** The common fields of a postal address, in reading order. */
const firstFields = ['line1', 'line2', 'street']
/** These are on one line: `Newcastle NSW 2300`. */
const placeFields = ['city', 'suburb', 'state', 'region', 'postcode', 'postal_code', 'zip']

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
  const read = (name: string): string[] => toText(address[name])
  const others = Object.keys(address).filter((name) => ![...firstFields, ...placeFields, 'country'].includes(name))
  const place = placeFields.flatMap(read).join(' ')
  return [
    ...firstFields.flatMap(read),
    ...toText(place),
    ...others.flatMap(read),
    ...toText(country ?? address['country']).map(toCountryName),
  ]
}

const toText = (value: unknown): string[] =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '' ? [String(value).trim()] : []
