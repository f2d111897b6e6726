/** Rings of longitude and latitude: the outer one, then its holes. */
export type Rings = number[][][]

/** Codes of the main file header for polygons: plain, with heights, with measures (ESRI white paper, 1998). */
const polygon_types: ReadonlySet<number> = new Set([5, 15, 25])
const [header_bytes, record_header_bytes, counts_offset, parts_offset, position_bytes] = [100, 8, 36, 44, 16]
const max_rings = 1000

/** The transformation of a position to longitude and latitude. */
export type ToDegrees = (position: [x: number, y: number]) => readonly number[]

/**
 * The polygons of the main file (`.shp`) of a shapefile; null if it is none, or none of polygons. Heights and measures are left
 * out. Throws a RangeError for a file that ends early.
 */
export function readShapefile(file: DataView, toDegrees: ToDegrees): Rings[] | null {
  const [magic, type] = [file.getInt32(0), file.getInt32(32, true)]
  if (magic !== 9994 || !polygon_types.has(type)) return null
  const rings: number[][][] = []
  for (let at = header_bytes; at + record_header_bytes < file.byteLength;) {
    const content_bytes = 2 * file.getInt32(at + 4)
    const content = at + record_header_bytes
    if (content_bytes < 4) return null
    if (polygon_types.has(file.getInt32(content, true))) rings.push(...readRings(file, content, toDegrees))
    if (rings.length > max_rings) return null
    at = content + content_bytes
  }
  return nestRings(rings)
}

function readRings(file: DataView, content: number, toDegrees: ToDegrees): number[][][] {
  const [ring_count, position_count] = [
    file.getInt32(content + counts_offset, true),
    file.getInt32(content + counts_offset + 4, true),
  ]
  if (ring_count > max_rings) throw new RangeError('too many rings')
  const positions = content + parts_offset + 4 * ring_count
  const starts = Array.from({ length: ring_count }, (_, ring) => file.getInt32(content + parts_offset + 4 * ring, true))
  return starts.map((start, ring) => {
    const length = (starts[ring + 1] ?? position_count) - start
    if (start < 0 || length < 0 || positions + (start + length) * position_bytes > file.byteLength)
      throw new RangeError('a ring ends after the file')
    return Array.from({ length }, (_, at) => {
      const offset = positions + (start + at) * position_bytes
      const [lon, lat] = toDegrees([file.getFloat64(offset, true), file.getFloat64(offset + 8, true)])
      return [lon!, lat!]
    })
  })
}

/** Outer rings are clockwise in a shapefile; each hole belongs to the last outer ring whose box contains it. */
function nestRings(rings: readonly number[][][]): Rings[] {
  const polygons: Rings[] = []
  const holes: number[][][] = []
  for (const ring of rings) {
    if (isClockwise(ring)) polygons.push([ring])
    else holes.push(ring)
  }
  // Some programs write outer rings in the other direction.
  if (polygons.length === 0) return holes.map((ring) => [ring])
  for (const hole of holes) polygons.findLast(([outer]) => boxContains(outer!, hole))?.push(hole)
  return polygons
}

function isClockwise(ring: readonly number[][]): boolean {
  let twice = 0
  for (const [at, [x1, y1]] of ring.slice(1).entries()) twice += (x1! - ring[at]![0]!) * (y1! + ring[at]![1]!)
  return twice > 0
}

function boxContains(outer: readonly number[][], inner: readonly number[][]): boolean {
  return [0, 1].every((axis) => {
    const [outside, inside] = [outer, inner].map((ring) => ring.map((position) => position[axis]!))
    return min(outside!) <= min(inside!) && max(outside!) >= max(inside!)
  })
}

const min = (numbers: readonly number[]): number => numbers.reduce((least, number) => Math.min(least, number), Infinity)
const max = (numbers: readonly number[]): number => numbers.reduce((most, number) => Math.max(most, number), -Infinity)
