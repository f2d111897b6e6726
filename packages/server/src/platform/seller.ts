import type { Config } from './config.ts'
import type { Integrations } from './integrations/integrations.ts'

/** The bank account to which invoices are paid. */
export interface BankAccount {
  readonly account_name: string
  /** The Bank State Branch number of Australian accounts, six digits. */
  readonly bsb: string | null
  /** An account number or an IBAN. */
  readonly account: string
  readonly bic: string | null
  readonly bank_name: string | null
}

/** The issuer of invoices and receipts. */
export interface SellerSettings {
  readonly name: string
  /** Australian Business Number, eleven digits; without it no document is a tax invoice. */
  readonly abn: string | null
  readonly address: readonly string[]
  readonly email: string | null
  /** Null if the seller has none; invoices then say whom to ask. */
  readonly bank: BankAccount | null
  /** Printed on invoices that are to be paid, beside the due date. */
  readonly payment_terms: string | null
  /** True if the payment processor moves no real money: then no document is a tax invoice. */
  readonly has_play_money: boolean
}

export const readSellerSettings = (config: Config, { payments }: Pick<Integrations, 'payments'>): SellerSettings => ({
  name: config.seller_name,
  abn: config.seller_abn,
  address: config.seller_address,
  email: config.seller_email,
  bank:
    config.seller_bank_account === null
      ? null
      : {
          account_name: config.seller_bank_account_name ?? config.seller_name,
          bsb: config.seller_bank_bsb,
          account: config.seller_bank_account,
          bic: config.seller_bank_bic,
          bank_name: config.seller_bank_name,
        },
  payment_terms: config.seller_payment_terms,
  has_play_money: payments.env !== 'live',
})
