import type { Indexed } from './indexed.ts'
import { isOpaque } from '../encode/rendered-image.ts'
import type { RenderedImage } from '../encode/rendered-image.ts'

const max_entries = 256

/**
 * A palette image. Transparent pixels (masked, or with a colour of alpha 0) are entry 0, and the colours that are used
 * follow in their order. An image of more than 256 entries is RGBA.
 */
export function applyPalette(width: number, height: number, indexed: Indexed, mask: Uint8Array): RenderedImage {
  const words = new Uint32Array(Uint8Array.from(indexed.palette).buffer)
  for (let entry = 0; entry < words.length; entry++) if (indexed.palette[entry * 4 + 3] === 0) words[entry] = 0
  if (words.length <= max_entries && !words.includes(0) && isOpaque(mask) && indexed.indices instanceof Uint8Array)
    return { width, height, kind: 'palette', data: indexed.indices, palette: indexed.palette }
  const { used, hasHoles } = usedEntries(indexed.indices, words, mask)
  const count = used.length + (hasHoles ? 1 : 0)
  if (count > max_entries) return { width, height, kind: 'rgba', data: expandPalette(indexed.indices, words, mask) }
  const first = hasHoles ? 1 : 0
  const renumbered = new Uint8Array(words.length)
  const palette = new Uint32Array(count)
  for (const [i, entry] of used.entries()) {
    renumbered[entry] = first + i
    palette[first + i] = words[entry]!
  }
  const data = renumber(indexed.indices, renumbered, mask)
  return { width, height, kind: 'palette', data, palette: new Uint8Array(palette.buffer) }
}

/** Entries that valid pixels have and that are not transparent, in rising order, and whether there are other pixels. */
function usedEntries(
  indices: Uint8Array | Uint16Array,
  words: Uint32Array,
  mask: Uint8Array,
): { used: number[]; hasHoles: boolean } {
  // Place 0 is for pixels that the mask leaves out. Only written to, never read: reading back what was just written waits.
  const seen = new Uint8Array(words.length + 1)
  for (let i = 0; i < indices.length; i++) seen[(indices[i]! + 1) & -((mask[i]! + 255) >> 8)] = 1
  const all = Array.from(words.keys()).filter((entry) => seen[entry + 1] === 1)
  const used = all.filter((entry) => words[entry] !== 0)
  return { used, hasHoles: used.length < all.length || seen[0] === 1 }
}

function renumber(indices: Uint8Array | Uint16Array, renumbered: Uint8Array, mask: Uint8Array): Uint8Array {
  const data = new Uint8Array(indices.length)
  // All bits where the mask is not 0, without a branch.
  for (let i = 0; i < data.length; i++) data[i] = renumbered[indices[i]!]! & -((mask[i]! + 255) >> 8)
  return data
}

function expandPalette(indices: Uint8Array | Uint16Array, words: Uint32Array, mask: Uint8Array): Uint8Array {
  const out = new Uint32Array(indices.length)
  for (let i = 0; i < out.length; i++) out[i] = words[indices[i]!]! & -((mask[i]! + 255) >> 8)
  return new Uint8Array(out.buffer)
}
