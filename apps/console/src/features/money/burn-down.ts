import type { Commitment } from '@swath/client/operations.ts'

/** Lines of a burn-down over one axis of time, in milliseconds. */
export interface BurnDown {
  readonly x: readonly number[]
  /** The rest of the commitment; null after the present. */
  readonly remaining_aud: readonly (number | null)[]
  /** The rest of the commitment if it were used evenly. */
  readonly even_aud: readonly number[]
}

type Burned = Pick<Commitment, 'period_start' | 'period_end' | 'committed_aud' | 'line_items'>

/** The steps of a commitment from its start to its end: each delivery lowers the rest, never below zero. */
export function burnDown(commitment: Burned, now_ms: number): BurnDown {
  const [start, end] = [Date.parse(commitment.period_start), Date.parse(commitment.period_end)]
  const present = Math.min(end, Math.max(start, now_ms))
  const total = commitment.committed_aud
  let delivered = 0
  const points: [at: number, left: number | null][] = [[start, total]]
  const left = (): number => Math.max(0, total - delivered)
  const lines = (commitment.line_items ?? [])
    .map(({ at, amount_aud }) => [Date.parse(at), amount_aud] as const)
    .toSorted(([a], [b]) => a - b)
  for (const [at, amount_aud] of lines) {
    const within = Math.min(present, Math.max(start, at))
    points.push([within, left()])
    delivered += amount_aud
    points.push([within, left()])
  }
  points.push([present, left()])
  if (present < end) points.push([end, null])
  return {
    x: points.map(([at]) => at),
    remaining_aud: points.map(([, aud]) => aud),
    even_aud: points.map(([at]) => (end > start ? (total * (end - at)) / (end - start) : 0)),
  }
}
