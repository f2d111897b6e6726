/** Reads bits where a byte of ones is followed by one of seven bits (ISO 15444-1, B.10.1). */
export interface PacketBits {
  readonly bit: () => number
  readonly bits: (count: number) => number
  /** The first byte that was not touched, with the seven bits that a byte of ones drags behind it. */
  readonly end: () => number
}

/** A reader from `start`; bits beyond the end of the data are 0, and `end` then lies beyond it too. */
export function createPacketBits(bytes: Uint8Array, start: number): PacketBits {
  let at = start
  let byte = 0
  let left = 0
  const bit = (): number => {
    if (left === 0) {
      left = byte === 0xff ? 7 : 8
      byte = bytes[at++] ?? 0
    }
    left--
    return (byte >> left) & 1
  }
  return {
    bit,
    bits(count) {
      let value = 0
      for (let index = 0; index < count; index++) value = value * 2 + bit()
      return value
    },
    end: () => (byte === 0xff ? at + 1 : at),
  }
}

/** A tag tree (B.10.2): the least number of each square of four, of each four squares, and so on up to one. */
export interface TagTree {
  /** True once it is known that the number at a place is below the threshold; reads only the bits that this takes. */
  readonly isBelow: (column: number, row: number, threshold: number, bits: PacketBits) => boolean
}

export function createTagTree(columns: number, rows: number): TagTree {
  const widths: number[] = []
  const starts: number[] = []
  let count = 0
  for (let [width, height] = [columns, rows]; ; [width, height] = [Math.ceil(width / 2), Math.ceil(height / 2)]) {
    widths.push(width)
    starts.push(count)
    count += width * height
    if (width * height <= 1) break
  }
  // What is known of every number: it is at least `least`, and no more than that once it is `known`.
  const least = new Uint16Array(count)
  const known = new Uint8Array(count)
  return {
    isBelow(column, row, threshold, bits) {
      let low = 0
      for (let depth = widths.length - 1; depth >= 0; depth--) {
        const node = starts[depth]! + (row >> depth) * widths[depth]! + (column >> depth)
        low = Math.max(low, least[node]!)
        while (low < threshold && known[node] === 0) {
          if (bits.bit() === 1) known[node] = 1
          else low++
        }
        least[node] = low
      }
      return known[row * widths[0]! + column] === 1 && low < threshold
    },
  }
}
