import type { BillingDocument } from './billing-document.ts'

/** The tax of a line: the code of UN/CEFACT 5305, its rate and its meaning. */
export interface TaxCategory {
  readonly code: 'S' | 'G' | 'O'
  readonly percent: number
  readonly meaning: string
}

const standardRate: TaxCategory = { code: 'S', percent: 10, meaning: 'GST of 10%, included in the amount' }
const freeExport: TaxCategory = { code: 'G', percent: 0, meaning: 'export, free of GST' }
const outsideTax: TaxCategory = { code: 'O', percent: 0, meaning: 'not subject to GST' }

/** True if the document shows GST: none can be claimed of play money, nor from a seller who is not registered. */
export const hasDocumentGst = ({ purpose, seller, gst_cents }: BillingDocument): boolean =>
  purpose === 'billing' && seller.abn !== null && gst_cents !== null

/** The tax of every line of a document: one document has one tax. */
export function findDocumentTax(document: BillingDocument): TaxCategory {
  if (hasDocumentGst(document)) return standardRate
  return document.purpose === 'billing' && document.seller.abn !== null ? freeExport : outsideTax
}
