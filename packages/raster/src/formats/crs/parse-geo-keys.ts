import type { GeoTags } from '../../types.ts'

/** A GeoKey has a number, a list of numbers or a text. */
export type GeoKeys = ReadonlyMap<number, number | number[] | string>

const key_in_doubles = 34736
const key_in_ascii = 34737

/** Unfolds the three geo tags into keys; a key that points outside its list is left out. */
export function parseGeoKeyDirectory(tags: GeoTags): GeoKeys {
  const keys = new Map<number, number | number[] | string>()
  const directory = tags.keyDirectory ?? []
  const count = Math.min(directory[3] ?? 0, Math.floor((directory.length - 4) / 4))
  for (let index = 0; index < count; index++) {
    const [id, location, length, value] = directory.slice(4 + index * 4, 8 + index * 4) as [
      number,
      number,
      number,
      number,
    ]
    if (location === 0) keys.set(id, value)
    else if (location === key_in_doubles) {
      const values = (tags.doubles ?? []).slice(value, value + length)
      if (values.length === length) keys.set(id, length === 1 ? values[0]! : values)
    } else if (location === key_in_ascii) {
      // Texts end with a bar, because one field holds them all.
      keys.set(id, (tags.ascii ?? '').slice(value, value + length).replace(/\|$/, ''))
    }
  }
  return keys
}
