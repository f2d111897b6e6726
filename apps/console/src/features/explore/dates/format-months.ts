import { formatMonth } from '../../../ui/format.ts'
import type { TimeBucket } from './months.ts'

/** `Mar 2026`, or `Jan 2024 – Dec 2024`. */
export const formatMonths = ({ from, to }: Pick<TimeBucket, 'from' | 'to'>): string =>
  from.slice(0, 7) === to.slice(0, 7) ? formatMonth(from) : `${formatMonth(from)} – ${formatMonth(to)}`
