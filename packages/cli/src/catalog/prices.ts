/** Credits with their price in Australian dollars. */
export const formatCredits = (credits: number): string => `${credits} credits (${(credits / 100).toFixed(2)} AUD)`

/** The price of captures, of `orders.archive.estimate` or `orders.quote`. */
export interface PricedCaptures {
  readonly quote_id?: string
  readonly expires_at?: string
  readonly total_credits: number
  readonly total_aud: number
  readonly lines?: readonly PriceLine[]
  readonly eulas?: readonly { readonly title: string; readonly documentId: string; readonly isAccepted: boolean }[]
}

export interface PriceLine {
  readonly id: string
  readonly host: string
  readonly datetime: string
  readonly area_km2: number
  readonly held_licence: string | null
  readonly credits: number
}

/** The columns of a table of prices. */
export const priceColumns = ['id', 'host', 'datetime', 'area_km2', 'held_licence', 'credits']
