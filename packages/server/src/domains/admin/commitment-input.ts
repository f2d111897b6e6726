import { creditsRate } from '../billing/aud.ts'

interface GivenProduct {
  readonly product: string
  readonly unit: 'km2'
  readonly negotiated_rate_aud: string
}

/** Rates of an input in credits. Where the list itself may be left out, reading fills in no unit. */
export const ratesOf = (products: readonly GivenProduct[]) =>
  products.map(({ product, unit, negotiated_rate_aud }) => ({
    product,
    unit: unit ?? 'km2',
    rate_credits: creditsRate(negotiated_rate_aud),
  }))
