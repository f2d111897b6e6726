import { useQuery } from '@tanstack/react-query'
import type { InputOf, OrderQuote } from '@swath/client/operations.ts'
import { usePlatform } from '../../api/platform.tsx'
import { readStored, writeStored } from '../../api/storage.ts'
import { formatKeptQuote, parseKeptQuote } from './kept-quote.ts'

const key = 'swath.quote'

export interface PriceLock {
  readonly quote: OrderQuote | null
  readonly error: Error | null
  /** Locks the price of now instead. */
  readonly renew: () => void
}

/** Drops the quote after an order has used it. */
export const dropQuote = (): void => writeStored(key, null)

/**
 * The locked price of the captures. It survives reloads, so that an order whose response was lost is not placed twice.
 */
export function usePriceLock(request: InputOf<'orders.quote'>): PriceLock {
  const { client } = usePlatform()
  const text = JSON.stringify(request)
  const { data, error, refetch } = useQuery({
    queryKey: ['orders.quote', request],
    queryFn: async ({ signal }) => {
      const kept = parseKeptQuote(readStored(key), text, Date.now())
      if (kept) return kept
      const quote = await client.call('orders.quote', request, { signal })
      writeStored(key, formatKeptQuote(text, quote))
      return quote
    },
    // A used or expired quote is no answer for the next visit.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const renew = (): void => {
    dropQuote()
    void refetch()
  }
  return { quote: data ?? null, error, renew }
}
