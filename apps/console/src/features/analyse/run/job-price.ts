import type { OutputOf } from '@swath/client/operations.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { formatBytes } from '../../../ui/format.ts'

const words = analyseTexts

/** The price and the requirements of a run of a process. */
export type JobPrice = OutputOf<'processing.catalog.estimate'>

/** Below this many megasamples a size is written as a number of samples. */
const min_fraction = 0.1

/** `0.12 million samples, up to 45 MB of memory`, `4,700 samples, up to 45 MB of memory` */
export const describeSize = ({ size, unit, memory_bytes }: JobPrice): string =>
  words.size(describeAmount(size, unit), formatBytes(memory_bytes))

function describeAmount(size: number, unit: string): string {
  const round = (amount: number): string => amount.toLocaleString('en', { maximumSignificantDigits: 2 })
  if (unit === 'megasample' && size < min_fraction) return words.samples(round(size * 1_000_000))
  return `${round(size)} ${words.units[unit] ?? unit}`
}
