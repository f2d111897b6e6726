const currencies = new Set(['AUD'])
const cachedQuotes = new Map<string, { readonly credits: number }>()
export const seen: WeakSet<object> = new WeakSet()
let lastQuote = 0

export function quote(id: string): number {
  const local = new Map<string, number>()
  let total = currencies.size + local.size
  total += cachedQuotes.get(id)?.credits ?? 0
  lastQuote = total
  return lastQuote
}
