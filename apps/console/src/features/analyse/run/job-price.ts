import type { OutputOf } from '@swath/client/operations.ts'
import { texts } from '../../../texts.ts'
import { formatBytes } from '../../../ui/format.ts'

const words = texts.analyse

/** What running a process costs and needs. */
export type JobPrice = OutputOf<'processing.catalog.estimate'>

/** `0.12 million samples, up to 45 MB of memory` */
export const describeSize = ({ size, unit, memory_bytes }: JobPrice): string =>
  words.size(
    size.toLocaleString('en', { maximumSignificantDigits: 2 }),
    words.units[unit] ?? unit,
    formatBytes(memory_bytes),
  )
