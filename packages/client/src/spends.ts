import type { CallOptions } from './client.ts'

/**
 * A price that a call may not exceed: the output of `orders.quote`, whose price is charged whatever it is then, or that of an
 * estimate, above which the call is refused.
 */
export interface Price {
  readonly total_credits: number
  /** Of a quote. */
  readonly quote_id?: string
  /** The last moment of a quote. */
  readonly expires_at?: string
}

/** Options of a call that spends credits. */
export interface SpendOptions extends CallOptions {
  /** Check everything and answer as if it were done; nothing is written or charged. */
  readonly dryRun?: boolean
  /** Refuse the call with `SpendLimitExceededError` if it would cost more. */
  readonly maxCredits?: number
  /** The price that was shown to whoever decides: sets `maxCredits`, and `quote_id` of a quote. */
  readonly price?: Price
}

/** A call that spends was not told what it may cost, and the client requires that. */
export class PriceRequiredError extends Error {
  readonly operation: string

  constructor(operation: string) {
    super(
      `${operation} spends credits, and nothing says how many. Pass the price of a quote or an estimate (price), a bound (maxCredits), or dryRun.`,
    )
    this.name = 'PriceRequiredError'
    this.operation = operation
  }
}

/** True for a bound, false for none. JSON would write NaN and infinity as null, which is no bound. */
function requireBound(operation: string, bound: unknown, price: Price | undefined): boolean {
  const isNone = bound === undefined || bound === null
  if (typeof bound === 'number' && Number.isFinite(bound)) return true
  if (isNone && price?.total_credits !== undefined) return false
  if (isNone && price === undefined) return false
  throw new TypeError(`${operation}: the price or the bound is not a number of credits.`)
}

/**
 * The input of a spend with what its options say. A bound that the input has itself stays if it is lower.
 *
 * @param requirePrice Throws `PriceRequiredError` if neither the input nor the options have a bound or are a dry run.
 */
export function withSpendOptions(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  { dryRun, maxCredits, price }: SpendOptions,
  requirePrice: boolean,
): Readonly<Record<string, unknown>> {
  const bounds = [input['max_credits'], maxCredits, ...(price ? [price.total_credits] : [])].filter(
    (bound): bound is number => requireBound(operation, bound, price),
  )
  const isDryRun = dryRun ?? input['dry_run'] === true
  if (requirePrice && bounds.length === 0 && !isDryRun) throw new PriceRequiredError(operation)
  return {
    ...input,
    ...(bounds.length > 0 ? { max_credits: Math.min(...bounds) } : {}),
    ...(dryRun === undefined ? {} : { dry_run: dryRun }),
    ...(price?.quote_id === undefined ? {} : { quote_id: price.quote_id }),
  }
}
