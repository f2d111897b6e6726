const currencies = new Set(['AUD'])
const cachedQuotes = new Map<string, { readonly credits: number }>()
export const seen: WeakSet<object> = new WeakSet()
let lastQuote = 0
const recentQuotes = createBoundedCache<string, number>({ max_entries: 10 })

export function quote(id: string): number {
  const local = new Map<string, number>()
  recentQuotes.clear()
  let total = currencies.size + local.size
  total += cachedQuotes.get(id)?.credits ?? 0
  lastQuote = total
  return lastQuote
}
