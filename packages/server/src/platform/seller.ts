import type { Config } from './config.ts'

/** The issuer of invoices and receipts. */
export interface SellerSettings {
  readonly name: string
  /** Australian Business Number, eleven digits; without it no document is a tax invoice. */
  readonly abn: string | null
  readonly address: readonly string[]
}

export const readSellerSettings = ({
  seller_name: name,
  seller_abn: abn,
  seller_address: address,
}: Config): SellerSettings => ({
  name,
  abn,
  address,
})
