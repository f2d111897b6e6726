import { Problem } from '../../engine/problem.ts'

/** Throws `spend-limit-exceeded` if the caller accepts a lower price only. */
export function requireWithinMaxCredits(amount_credits: number, max_credits: number | null | undefined): void {
  if (max_credits === null || max_credits === undefined || amount_credits <= max_credits) return
  throw new Problem(
    'spend-limit-exceeded',
    `The call would cost ${amount_credits} credits, more than its max_credits of ${max_credits}.`,
  )
}
