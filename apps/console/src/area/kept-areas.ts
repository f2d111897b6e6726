import { validateAreaGeometry, type AreaGeometry } from '@swath/geo/geojson.ts'
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
export function keepArea(area: AreaGeometry): string | null {
  const key = hashText(JSON.stringify(area))
  const kept = readAll()
  if (kept[0]?.[0] === key) return key
  const others = kept.filter(([other]) => other !== key).slice(0, max_areas - 1)
  writeStored(store, JSON.stringify([[key, area], ...others]))
  return readAll()[0]?.[0] === key ? key : null
}

export function readKeptArea(key: string): AreaGeometry | null {
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
