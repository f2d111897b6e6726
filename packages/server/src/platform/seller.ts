import type { Config } from './config.ts'

/** Who issues invoices and receipts. */
export interface Seller {
  readonly name: string
  /** Australian Business Number, eleven digits; without one nothing is a tax invoice. */
  readonly abn: string | null
  readonly address: readonly string[]
}

export const sellerOf = ({ seller_name: name, seller_abn: abn, seller_address: address }: Config): Seller => ({
  name,
  abn,
  address,
})
