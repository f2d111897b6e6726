import { uiTexts } from '../texts/ui.ts'

const locale = 'en'
const number = (value: number, digits: number): string =>
  value.toLocaleString(locale, { minimumFractionDigits: 0, maximumFractionDigits: digits })

export const formatCount = (value: number): string => number(value, 0)

export const formatCredits = (credits: number): string => uiTexts.credits(credits, number(credits, 0))

/** Australian dollars with two decimals. */
export const formatAud = (aud: number): string =>
  `A$${aud.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const m2_per_km2 = 1_000_000
/** A hectare: smaller areas are in square metres. */
const min_area_km2 = 0.01

/** Square kilometres, with as many digits as matter; fields and roofs in square metres. */
export const formatArea = (km2: number): string =>
  km2 > 0 && km2 < min_area_km2
    ? `${number(km2 * m2_per_km2, km2 * m2_per_km2 < 10 ? 1 : 0)} m²`
    : `${number(km2, km2 < 10 ? 2 : km2 < 100 ? 1 : 0)} km²`

export const formatPercent = (percent: number): string => `${number(percent, percent < 10 ? 1 : 0)} %`

const byte_units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Decimal units, as storage is sold. */
export function formatBytes(bytes: number): string {
  const at = bytes < 1000 ? 0 : Math.min(byte_units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${number(bytes / 1000 ** at, at === 0 ? 0 : 1)} ${byte_units[at]}`
}

/** `153 ms`, `9.5 s`, `71 s`. */
export function formatDuration(duration_ms: number): string {
  if (Math.round(duration_ms) < 1000) return `${number(duration_ms, 0)} ms`
  const seconds = duration_ms / 1000
  return `${number(seconds, seconds < 10 ? 1 : 0)} s`
}

/** `12 May 2026, 14:03` in the zone of the reader. */
export const formatTime = (at: string): string =>
  new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })

/** `May 2026`, of a day or an instant in UTC. */
export const formatMonth = (at: string): string =>
  new Date(at).toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `12 May 2026`, of the instant in UTC: the day of an acquisition is not that of the reader. */
export const formatDate = (at: string): string =>
  new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
