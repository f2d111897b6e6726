import { limits } from '@swath/contract/limits.ts'
import type { Call, PurchaseCall } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { shiftTime, type OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Integrations } from '../../platform/integrations/integrations.ts'
import { newId } from '../../platform/ids.ts'
import type { CaptureQuote, QuotedCapture } from './quote.ts'
import {
  deleteExpiredOrderQuotes,
  findOrderQuote,
  insertOrderQuote,
  lockAndCountOpenQuotes,
  markOrderQuoteUsed,
  type QuotedCaptureRow,
  type OrderQuoteRow,
} from './store.quotes.ts'

/** A quote in use holds up to a thousand scenes, so that an organization may have only so many. */
const max_open_quotes = 200

type QuoteCall = Pick<Call, 'organization' | 'principal' | 'transaction'>
type QuotedPrices = Pick<OrderQuoteRow, 'captures' | 'tasks' | 'groups' | 'total_credits'>

/** Stores a quote, whose prices an order may name until it expires. Throws `quota-exceeded`. */
export const storeCaptureQuote = (call: Call, quote: CaptureQuote, now: OrganizationTime): Promise<OrderQuoteRow> =>
  storeOrderQuote(
    call,
    {
      captures: quote.captures.map((capture) => toRow(capture, quote.shares.get(capture) ?? 0)),
      tasks: null,
      groups: quote.groups,
      total_credits: quote.total_credits,
    },
    now,
  )

/** Stores a quote for one order. Throws `quota-exceeded`. */
export async function storeOrderQuote(
  call: QuoteCall,
  prices: QuotedPrices,
  now: OrganizationTime,
): Promise<OrderQuoteRow> {
  const { organization, principal } = call
  const row: OrderQuoteRow = {
    id: newId(),
    ...prices,
    created_by: principal.id,
    created_at: now,
    expires_at: shiftTime(now, limits.quote_seconds * 1000),
    order_id: null,
  }
  await call.transaction(async (tx) => {
    await deleteExpiredOrderQuotes(tx, organization, now)
    if ((await lockAndCountOpenQuotes(tx, organization, now)) >= max_open_quotes) {
      throw new Problem('quota-exceeded', `There are ${max_open_quotes} open quotes; each ends by itself.`, {
        retry_after_s: limits.quote_seconds,
      })
    }
    await insertOrderQuote(tx, organization, row)
  })
  return row
}

/**
 * The quote of captures with its prices. Throws `not-found`, `quote-expired`, `invalid-state` if an order has used it, or
 * `validation` for a quote of areas to acquire.
 */
export async function requireOpenCaptureQuote(
  call: PurchaseCall,
  id: string,
  now: OrganizationTime,
): Promise<CaptureQuote> {
  const row = await requireOpenQuoteRow(call, id, now)
  if (row.tasks) throw validationProblem([{ path: 'quote_id', message: 'is for areas to acquire' }])
  return toQuote(call.integrations, row)
}

/** A quote that an order may use. Throws `not-found`, `quote-expired`, or `invalid-state` if an order has used it. */
export async function requireOpenQuoteRow(
  call: PurchaseCall,
  id: string,
  now: OrganizationTime,
): Promise<OrderQuoteRow> {
  const row = await findOrderQuote(call.db, call.organization, id)
  if (!row) throw new Problem('not-found', `No quote has the id "${id}".`)
  rejectClosedQuote(row, now)
  return row
}

function rejectClosedQuote({ order_id, expires_at }: OrderQuoteRow, now: OrganizationTime): void {
  if (order_id !== null) throw new Problem('invalid-state', `The quote was used for the order ${order_id}.`)
  if (expires_at <= now) throw new Problem('quote-expired', `The quote expired at ${expires_at.toISOString()}.`)
}

/** Ends a quote with the order that names it. Throws what `requireOpenCaptureQuote` throws if another call was faster. */
export async function consumeOrderQuote(tx: Tx, call: PurchaseCall, id: string, order_id: string): Promise<void> {
  const now = call.clock.now()
  if (await markOrderQuoteUsed(tx, call.organization, { id, order_id, now })) return
  const row = await findOrderQuote(tx, call.organization, id)
  if (row) rejectClosedQuote(row, now)
  throw new Problem('quote-expired', 'The quote has expired.')
}

const toRow = ({ host, ...capture }: QuotedCapture, share_credits: number): QuotedCaptureRow => ({
  ...capture,
  host: host.name,
  share_credits,
})

function toQuote(
  integrations: Pick<Integrations, 'hosts'>,
  { captures, groups, total_credits }: OrderQuoteRow,
): CaptureQuote {
  const quoted = captures.map(({ share_credits, host: name, ...capture }) => {
    const host = integrations.hosts.get(name)
    if (!host) throw new Problem('invalid-state', `The host "${name}" of the quote is not offered any more.`)
    return { share_credits, capture: { ...capture, host } }
  })
  return {
    captures: quoted.map(({ capture }) => capture),
    groups,
    errors: [],
    total_credits,
    shares: new Map(quoted.map(({ capture, share_credits }) => [capture, share_credits])),
  }
}
