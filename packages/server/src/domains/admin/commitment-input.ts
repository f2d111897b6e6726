import { creditsRate } from '../billing/aud.ts'

interface GivenProduct {
  readonly product: string
  readonly unit: 'km2'
  readonly negotiated_rate_aud: string
}

/** The product rates of an input in credits. The default of `unit` is not applied where `products` is optional. */
export const ratesOf = (products: readonly GivenProduct[]) =>
  products.map(({ product, unit, negotiated_rate_aud }) => ({
    product,
    unit: unit ?? 'km2',
    rate_credits: creditsRate(negotiated_rate_aud),
  }))
