import type { OrderQuote } from '@swath/client/operations.ts'

/** A quote, and the request that it is for. */
interface KeptQuote {
  readonly request: string
  readonly quote: OrderQuote
}

/** The stored quote, if it is for this request and still holds; a quote serves one order, so that it is never bought twice. */
export function parseKeptQuote(stored: string | null, request: string, now_ms: number): OrderQuote | null {
  try {
    const kept = JSON.parse(stored ?? 'null') as KeptQuote | null
    return kept?.request === request && Date.parse(kept.quote.expires_at) > now_ms ? kept.quote : null
  } catch {
    return null
  }
}

export const formatKeptQuote = (request: string, quote: OrderQuote): string =>
  JSON.stringify({ request, quote } satisfies KeptQuote)

/** Minutes and seconds that remain, `0:00` after the end. */
export function formatRemaining(expires_at: string, now_ms: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(expires_at) - now_ms) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
