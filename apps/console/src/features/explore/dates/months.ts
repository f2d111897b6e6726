import { timeOf, type Scene } from '../scenes.ts'

/** Some months in a row, and how many scenes they have. */
export interface TimeBucket {
  /** ISO dates of the first and the last day. */
  readonly from: string
  readonly to: string
  readonly count: number
}

const max_buckets = 48
/** A bar is a month; over long times a quarter, a year or several, so that all of them fit. */
const bucket_months = [1, 3, 12, 60, 120] as const

const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const firstDay = (month: number): string => dayText(Date.UTC(Math.floor(month / 12), month % 12, 1))
const lastDay = (month: number): string => dayText(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0))

/** The scenes of each month, or of some months together, without gaps from the first scene to the last. */
export function countMonths(scenes: readonly Scene[]): readonly TimeBucket[] {
  const months = scenes.flatMap((scene) => monthOf(timeOf(scene) ?? '') || [])
  if (months.length === 0) return []
  const [first, last] = months.reduce(([low, high], month) => [Math.min(low, month), Math.max(high, month)], [
    Infinity,
    -Infinity,
  ] as [number, number])
  const size = bucket_months.find((size) => (last - first) / size < max_buckets - 1) ?? bucket_months.at(-1)!
  const start = Math.floor(first / size) * size
  const counts = Array.from({ length: Math.floor((last - start) / size) + 1 }, () => 0)
  for (const month of months) counts[Math.floor((month - start) / size)]!++
  return counts.map((count, at) => ({
    from: firstDay(start + at * size),
    to: lastDay(start + (at + 1) * size - 1),
    count,
  }))
}

/** The buckets between two dates: the positions of a slider with two thumbs. */
export function findSpan(buckets: readonly TimeBucket[], from: string | null, to: string | null): [number, number] {
  const first = from === null ? 0 : buckets.findIndex((bucket) => bucket.to >= from)
  const last = to === null ? buckets.length - 1 : buckets.findLastIndex((bucket) => bucket.from <= to)
  const low = first === -1 ? buckets.length - 1 : first
  return [low, Math.max(low, last)]
}

/** The dates of a span of buckets; an end of the histogram is an open end. */
export function spanDates(buckets: readonly TimeBucket[], low: number, high: number): [string | null, string | null] {
  const [first, last] = [Math.min(low, high), Math.max(low, high)]
  return [first <= 0 ? null : buckets[first]!.from, last >= buckets.length - 1 ? null : buckets[last]!.to]
}
