import type { TimeBucket } from './months.ts'

const month = (date: string): string =>
  new Date(date).toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `Mar 2026`, or `Jan 2024 – Dec 2024`. */
export const formatMonth = ({ from, to }: Pick<TimeBucket, 'from' | 'to'>): string =>
  from.slice(0, 7) === to.slice(0, 7) ? month(from) : `${month(from)} – ${month(to)}`
