import type { BillingDocument } from '../billing-document.ts'
import { findDocumentTax, type TaxCategory } from '../tax-category.ts'

/** A specification of electronic invoices that a document follows. */
export interface ElectronicInvoiceProfile {
  readonly customization: string
  readonly process: string | null
  /** The name of the tax: EN 16931 knows only VAT. */
  readonly tax_scheme: 'GST' | 'VAT'
}

/** Peppol International for Australia and New Zealand. */
const pintAunz: ElectronicInvoiceProfile = {
  customization: 'urn:peppol:pint:billing-1@aunz-1',
  process: 'urn:peppol:bis:billing',
  tax_scheme: 'GST',
}

const en16931: ElectronicInvoiceProfile = { customization: 'urn:cen.eu:en16931:2017', process: null, tax_scheme: 'VAT' }

/** An address in the Peppol network: the code of its scheme and its value. */
export interface PeppolElectronicAddress {
  readonly scheme: '0151' | 'EM'
  readonly value: string
}

/** The electronic address by Australian Business Number, or by e-mail; null without either. */
export function findPeppolElectronicAddress({
  abn,
  email,
}: BillingDocument['buyer'] | BillingDocument['seller']): PeppolElectronicAddress | null {
  if (abn !== null) return { scheme: '0151', value: abn.replaceAll(/\s/g, '') }
  return email === null ? null : { scheme: 'EM', value: email }
}

/** Documents with GST for a buyer in Australia who can be addressed follow PINT A-NZ, all others plain EN 16931. */
export const selectInvoiceProfile = (document: BillingDocument): ElectronicInvoiceProfile =>
  findDocumentTax(document).code === 'S' &&
  document.buyer.country === 'AU' &&
  findPeppolElectronicAddress(document.buyer) !== null
    ? pintAunz
    : en16931

/** The number under which the seller is registered for the tax, which EN 16931 begins with the country. */
export function formatTaxRegistration(
  { seller }: BillingDocument,
  tax: TaxCategory,
  { tax_scheme }: ElectronicInvoiceProfile,
): string | null {
  if (tax.code === 'O' || seller.abn === null) return null
  return tax_scheme === 'GST' ? seller.abn : `AU${seller.abn}`
}
