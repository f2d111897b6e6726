import { isProblem } from '../api/problem.ts'
import { paymentsTexts } from '../texts/payments.ts'
import { formatAud, formatCredits } from '../ui/format.ts'
import type { Checkout } from './use-checkout.ts'

/** A credit is an Australian cent. */
export const formatSum = (credits: number): string => `${formatCredits(credits)} · ${formatAud(credits / 100)}`

/** Describes the effect of a payment on the wallet, the card or the invoice. */
export function describeEffect({ mode, available_credits }: Checkout, price_credits: number): string {
  const sum = `${formatCredits(price_credits)} (${formatAud(price_credits / 100)})`
  if (price_credits === 0) return paymentsTexts.confirmFree
  if (mode === 'enterprise') return paymentsTexts.confirmEnterprise(sum)
  if (mode === 'card') return paymentsTexts.confirmCard(sum)
  return paymentsTexts.confirm(sum, formatCredits(Math.max(0, available_credits - price_credits)))
}

/** Returns the credits that the wallet lacks: by the balance on this page, or by the response of the server. */
export function findMissingCredits({ missing_credits, available_credits }: Checkout, error: unknown): number {
  if (missing_credits > 0 || !isProblem(error, 'insufficient-credits')) return missing_credits
  const required = Number(error.document['required_credits'] ?? 0)
  return Math.max(1, required - available_credits)
}
