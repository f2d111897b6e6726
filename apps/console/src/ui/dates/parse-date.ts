import { formatDate } from '../format.ts'

const isoPattern = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const wordsPattern = /^(\d{1,2})\.?\s+([a-z]{3,})\.?,?\s+(\d{4})$/i

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** An ISO date of `28 Nov 2026` or `2026-11-28`; null for other text and for days that do not exist. */
export function parseDate(text: string): string | null {
  const trimmed = text.trim()
  const iso = isoPattern.exec(trimmed)
  if (iso) return toIsoDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const words = wordsPattern.exec(trimmed)
  if (!words) return null
  return toIsoDate(Number(words[3]), months.indexOf(words[2]!.slice(0, 3).toLowerCase()) + 1, Number(words[1]))
}

function toIsoDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  // Years below 100 are those of the 20th century there.
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}

/** `28 Nov 2026` of an ISO date; nothing of none. */
export const dateText = (date: string): string => (date === '' ? '' : formatDate(date))
