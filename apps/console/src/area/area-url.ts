import { type AreaGeometry, type Position } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { readStored, writeStored } from '../api/storage.ts'

const store = 'swath.long-areas'
/** The least recently used areas beyond this number are removed. */
const max_areas = 12

type KeptArea = readonly [key: string, area: unknown]

function readAll(): readonly KeptArea[] {
  try {
    const kept: unknown = JSON.parse(readStored(store) ?? '[]')
    return Array.isArray(kept)
      ? kept.filter((entry): entry is KeptArea => Array.isArray(entry) && entry.length === 2)
      : []
  } catch {
    return []
  }
}

/** Keeps an area that is too long for a URL, and returns its key; null where the browser stores nothing. */
function keepArea(area: AreaGeometry): string | null {
  const key = hashText(JSON.stringify(area))
  const kept = readAll()
  if (kept[0]?.[0] === key) return key
  const others = kept.filter(([other]) => other !== key).slice(0, max_areas - 1)
  writeStored(store, JSON.stringify([[key, area], ...others]))
  return readAll()[0]?.[0] === key ? key : null
}

function readKeptArea(key: string): AreaGeometry | null {
  const entry = readAll().find(([other]) => other === key)
  return entry ? validateAreaGeometry(entry[1]).geometry : null
}

/** Bases and primes of FNV-1a with 32 bits; two of them make collisions of a dozen areas unthinkable. */
const [base, other_base, prime] = [0x811c9dc5, 0x01000193 * 7, 0x01000193]

const hashText = (text: string): string => [base, other_base].map((start) => fnv1a(text, start).toString(36)).join('')

function fnv1a(text: string, start: number): number {
  let hash = start >>> 0
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), prime) >>> 0
  return hash
}

/** Longer areas do not fit into a URL that mail programs and servers accept. */
const max_url_letters = 1500

/** `lon,lat;lon,lat;…` of each ring, without the closing position; rings by `!`, polygons by `_`. Null if that is too long. */
export function formatArea(area: AreaGeometry): string | null {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates
  const text = polygons
    .map((rings) => rings.map((ring) => ring.slice(0, -1).map(formatPosition).join(';')).join('!'))
    .join('_')
  return text.length > max_url_letters ? null : text
}

const formatPosition = ([lon, lat]: Position): string => `${Number(lon.toFixed(5))},${Number(lat.toFixed(5))}`

/** The area of a URL; null for anything that is not a valid area. */
export function parseArea(text: unknown): AreaGeometry | null {
  if (typeof text !== 'string' || text === '' || text.length > max_url_letters) return null
  const polygons = text.split('_').map((polygon) => polygon.split('!').map(parseRing))
  const geometry =
    polygons.length === 1
      ? { type: 'Polygon', coordinates: polygons[0] }
      : { type: 'MultiPolygon', coordinates: polygons }
  return validateAreaGeometry(geometry).geometry
}

function parseRing(text: string): number[][] {
  const positions = text.split(';').map((position) => position.split(',').map(Number))
  return [...positions, positions[0] ?? []]
}

/** Begins the key of an area that this browser keeps, where the area itself is too long. */
const keyMark = '~'

/** An area as in the URL: itself, or the key under which this browser keeps it. Null if it can do neither. */
export function areaToUrl(area: AreaGeometry): string | null {
  const text = formatArea(area)
  if (text !== null) return text
  const key = keepArea(area)
  return key && `${keyMark}${key}`
}

/** The area of a URL, also one that this browser keeps. */
export function readAreaFromUrl(text: unknown): AreaGeometry | null {
  return typeof text === 'string' && text.startsWith(keyMark) ? readKeptArea(text.slice(1)) : parseArea(text)
}

/** True for the key of an area that is stored in another browser, or was removed from this one. */
export const isAreaUnknown = (text: unknown): boolean =>
  typeof text === 'string' && text.startsWith(keyMark) && readKeptArea(text.slice(1)) === null
