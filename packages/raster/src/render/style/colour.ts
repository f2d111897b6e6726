import { RasterFailure } from '../../failures.ts'

/** Red, green, blue, alpha in bytes. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

const hexColourPattern = /^#([0-9a-f]{6})([0-9a-f]{2})?$/i

/** Reads `#rrggbb`, `#rrggbbaa` or a list of three or four bytes; fails with `request`. */
export function parseColour(value: unknown): Rgba {
  if (typeof value === 'string') {
    const [, colour, alpha = 'ff'] = hexColourPattern.exec(value.trim()) ?? []
    if (colour !== undefined) return [...Buffer.from(colour + alpha, 'hex')] as unknown as Rgba
  }
  if (Array.isArray(value) && (value.length === 3 || value.length === 4)) {
    const bytes = [...value, 255].slice(0, 4)
    if (bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)) return bytes as unknown as Rgba
  }
  throw new RasterFailure(
    'request',
    'a colour is #rrggbb, #rrggbbaa or a list of three or four whole numbers up to 255',
  )
}
