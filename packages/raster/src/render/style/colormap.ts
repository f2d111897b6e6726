import { RasterFailure } from '../../failures.ts'
import { readTsvFile } from '../../tsv-file.ts'
import { parseColour } from './colour.ts'
import type { Rgba } from './colour.ts'

/**
 * Mapping from the values of one band to colours: a ramp of 256 entries (four bytes each) over a stretch of values, a colour for each listed
 * value, or a colour for each interval (low ≤ value < high).
 */
export type Colormap =
  | { readonly kind: 'ramp'; readonly entries: Uint8Array }
  | { readonly kind: 'categories'; readonly colours: ReadonlyMap<number, Rgba> }
  | { readonly kind: 'intervals'; readonly steps: readonly (readonly [low: number, high: number, colour: Rgba])[] }

const max_characters = 32_768
const max_entries = 1024
/**
 * Named colormaps by lower-case name, from `colormaps.tsv`. Six hexadecimal digits are a colour; `37:482475` puts it at
 * entry 37 of 256, colours without a position are spread evenly. Entries between are interpolated; the tables differ
 * from matplotlib's by at most 1 in a channel. The ramps of ColorBrewer (Cynthia Brewer and Mark Harrower) are defined
 * by their own colours.
 */
const namedColormaps = new Map(
  readTsvFile<'name' | 'colours'>(new URL('./colormaps.tsv', import.meta.url)).map((row) => [
    row.name.toLowerCase(),
    row,
  ]),
)
const colormapAliases: Readonly<Record<string, string>> = { grey: 'gray', grays: 'greys' }

/** The names of all built-in colormaps; the suffix `_r` reverses them. */
export function listColormapNames(): string[] {
  return Array.from(namedColormaps.values(), ({ name }) => name)
}

/**
 * Reads a colormap: the name of a built-in ramp (case does not matter, `_r` reverses) or JSON. An object of value to
 * colour makes categories, `[[[low, high], colour], …]` makes intervals and a list of colours a ramp. A colour is
 * `#rrggbb`, `#rrggbbaa` or a list of three or four bytes.
 *
 * @throws RasterFailure `request` for an unknown name or a list that is not of these shapes.
 */
export function parseColormap(text: string): Colormap {
  if (text.length > max_characters)
    throw new RasterFailure('request', `a colormap has at most ${max_characters} characters`)
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') && !trimmed.startsWith('[')) return { kind: 'ramp', entries: namedRamp(trimmed) }
  return parseColormapValue(parseJson(trimmed))
}

/** Parses a colormap from a JSON value. */
export function parseColormapValue(value: unknown): Colormap {
  if (typeof value === 'string') return parseColormap(value)
  if (typeof value !== 'object' || value === null) throw unreadable()
  const entries = Array.isArray(value) ? value : Object.entries(value)
  if (entries.length === 0 || entries.length > max_entries)
    throw new RasterFailure('request', `a colormap has 1 to ${max_entries} entries`)
  if (!Array.isArray(value)) return readCategories(entries as [string, unknown][])
  return Array.isArray(value[0]) && Array.isArray(value[0][0]) ? readIntervals(value) : readStops(value)
}

/** A palette (three bytes per colour) as an opaque categorical colormap. */
export function paletteToColormap(palette: Uint8Array): Colormap {
  const colours = new Map<number, Rgba>()
  for (let i = 0; i * 3 + 2 < palette.length; i++)
    colours.set(i, [palette[i * 3]!, palette[i * 3 + 1]!, palette[i * 3 + 2]!, 255])
  return { kind: 'categories', colours }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RasterFailure('request', 'the colormap is not valid JSON', { cause })
  }
}

function unreadable(): RasterFailure {
  return new RasterFailure(
    'request',
    'a colormap is a name, colours by value such as {"1": "#ff0000"}, or a list of colours or intervals',
  )
}

function readCategories(entries: readonly [string, unknown][]): Colormap {
  const colours = new Map<number, Rgba>()
  for (const [key, colour] of entries) {
    const value = key.trim() === '' ? NaN : Number(key)
    if (!Number.isFinite(value)) throw new RasterFailure('request', `“${key.slice(0, 40)}” is no value of a pixel`)
    colours.set(value, parseColour(colour))
  }
  return { kind: 'categories', colours }
}

function readIntervals(list: readonly unknown[]): Colormap {
  const steps = list.map((step): [number, number, Rgba] => {
    const [range, colour] = Array.isArray(step) ? step : []
    const [low, high] = Array.isArray(range) ? range : []
    if (typeof low !== 'number' || typeof high !== 'number' || !(low < high))
      throw new RasterFailure('request', 'an interval is [[low, high], colour] with low below high')
    return [low, high, parseColour(colour)]
  })
  return { kind: 'intervals', steps }
}

function readStops(list: readonly unknown[]): Colormap {
  if (list.length < 2) throw new RasterFailure('request', 'a ramp needs at least two colours')
  const stops = list.map((colour, index): Stop => [(index * 255) / (list.length - 1), parseColour(colour)])
  return { kind: 'ramp', entries: interpolateStops(stops) }
}

type Stop = readonly [position: number, colour: Rgba]

function namedRamp(text: string): Uint8Array {
  const lower = text.toLowerCase()
  const reversed = lower.endsWith('_r')
  const plain = reversed ? lower.slice(0, -2) : lower
  const found = namedColormaps.get(Object.hasOwn(colormapAliases, plain) ? colormapAliases[plain]! : plain)
  if (!found) throw new RasterFailure('request', `there is no colormap “${text.slice(0, 40)}”`)
  const tokens = found.colours.split(' ')
  const positioned = tokens[0]!.includes(':')
  const stops = tokens.map((token, index): Stop => {
    const [position, digits] = positioned ? token.split(':') : [(index * 255) / (tokens.length - 1), token]
    return [Number(position), parseColour(`#${digits}`)]
  })
  return interpolateStops(
    reversed ? stops.map(([at, colour]): Stop => [255 - at, colour]).toReversed() : stops,
    positioned,
  )
}

/**
 * Stops that are finished table entries are rounded to; colours that are reference points are cut off, as elsewhere.
 */
function interpolateStops(stops: readonly Stop[], rounds = false): Uint8Array {
  const entries = new Uint8Array(1024)
  let next = 1
  for (let i = 0; i < 256; i++) {
    while (next < stops.length - 1 && stops[next]![0] < i) next++
    const [from, first] = stops[next - 1]!
    const [to, second] = stops[next]!
    const share = (i - from) / (to - from)
    for (let c = 0; c < 4; c++) {
      const value = first[c]! + (second[c]! - first[c]!) * share
      entries[i * 4 + c] = Math.floor(value + (rounds ? 0.5 : 0) + 1e-9)
    }
  }
  return entries
}
