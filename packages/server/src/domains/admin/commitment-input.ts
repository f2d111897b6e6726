import { toCreditsRate } from '../ledger/aud.ts'

interface ProductRateInput {
  readonly product: string
  readonly unit: 'km2'
  readonly negotiated_rate_aud: string
}

/** The product rates of an input in credits. The default of `unit` is not applied where `products` is optional. */
export const toProductRates = (products: readonly ProductRateInput[]) =>
  products.map(({ product, unit, negotiated_rate_aud }) => ({
    product,
    unit: unit ?? 'km2',
    rate_credits: toCreditsRate(negotiated_rate_aud),
  }))
