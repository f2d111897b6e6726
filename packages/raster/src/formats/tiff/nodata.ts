import { sampleTypes } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'

/**
 * The value that stands for "nothing here", as the samples hold it: rounded to float32 where they are, NaN for `nan`.
 * Text that is no number, or a number that the samples cannot hold, means that there is no such value.
 */
export function parseNodata(text: string | undefined, sampleType: SampleType): number | null {
  const word = text?.trim().toLowerCase() ?? ''
  const isWord = Object.hasOwn(valuesByWord, word)
  const value = isWord ? valuesByWord[word]! : word === '' ? Number.NaN : Number(word)
  if (Number.isNaN(value) && !isWord) return null
  if (sampleType === 'float64') return value
  if (sampleType === 'float32') return Math.fround(value)
  const { lowest, highest } = sampleTypes[sampleType]
  return Number.isInteger(value) && value >= lowest && value <= highest ? value : null
}

const valuesByWord: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  '-nan': Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
}
