import type { BankAccount } from '../../../platform/seller.ts'

/** The purpose of a document: billing, or play money, which buys nothing and of which nothing can be claimed. */
export type DocumentPurpose = 'billing' | 'play_money' | 'sandbox'

/**
 * An invoice, receipt or credit note as a plain value, which is printed and sent. Amounts are Australian cents including tax;
 * a credit note has positive amounts. Times are RFC 3339 in UTC.
 */
export interface BillingDocument {
  readonly kind: 'invoice' | 'receipt' | 'credit_note'
  readonly purpose: DocumentPurpose
  readonly number: string
  readonly issued_at: string
  readonly due_at: string | null
  readonly paid_at: string | null
  /** A state of invoices: `draft`, `open`, `paid`, `uncollectible`, `void`. */
  readonly status: string
  readonly seller: DocumentSeller
  readonly buyer: DocumentBuyer
  /** A month, `YYYY-MM`, or other text. */
  readonly period: string | null
  readonly lines: readonly DocumentLine[]
  readonly total_cents: number
  /** The GST included in the total; null if none applies. */
  readonly gst_cents: number | null
  /** Payment method, or that of the refund in a credit note; null if unpaid or unknown. */
  readonly payment: DocumentPayment | null
  /** The number of the document that a credit note corrects or a receipt pays. */
  readonly reference: string | null
  /** When that document was issued. */
  readonly reference_issued_at: string | null
  readonly notes: readonly string[]
}

interface DocumentParty {
  readonly name: string
  readonly abn: string | null
  readonly address: readonly string[]
  readonly email: string | null
}

export interface DocumentSeller extends DocumentParty {
  readonly bank: BankAccount | null
  readonly payment_terms: string | null
}

export interface DocumentBuyer extends DocumentParty {
  readonly tax_number: string | null
  /** The ISO 3166 code; null if the organization entered another text, or none. */
  readonly country: string | null
  readonly purchase_order_number: string | null
}

export interface DocumentPayment {
  readonly method: 'card' | 'bank_transfer'
  readonly card_brand: string | null
  /** The last four digits of the card. */
  readonly card_last4: string | null
  /** The id of the payment at the processor, or the reference of the transfer. */
  readonly reference: string | null
}

export interface DocumentLine {
  readonly description: string
  /** Decimal text, or the decimal that a number prints as, like the unit price, which may have fractions of a cent. */
  readonly quantity: string | number
  readonly unit: string | null
  readonly unit_price_cents: string | number | null
  readonly amount_cents: number
  readonly order_id: string | null
  /** The scene that the line is for, with its host: `commercial:20260301_A`. */
  readonly scene_id?: string | null
}

type StoredLater<Value, Name extends keyof Value> = Omit<Value, Name> & Partial<Pick<Value, Name>>

/**
 * A document as it was issued. Documents are never rewritten, so those of earlier versions lack later fields; the
 * number, and that of the document that it belongs to, are assigned after it is stored.
 */
export type StoredBillingDocument = Omit<
  StoredLater<BillingDocument, 'purpose' | 'payment'>,
  'number' | 'reference_issued_at' | 'seller' | 'buyer'
> & {
  readonly seller: StoredLater<DocumentSeller, 'email' | 'bank' | 'payment_terms'>
  readonly buyer: StoredLater<DocumentBuyer, 'country' | 'purchase_order_number'>
}
