import { VectorFailure } from '../vector-failure.ts'
import type { ByteReader } from './byte-reader.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { locatePointInRing } from '@swath/geo/point-in-ring.ts'
import { computeSignedPlanarArea } from '@swath/geo/signed-area.ts'

type Ring = number[][]

interface MeasuredRing {
  readonly ring: Ring
  readonly box: readonly [number, number, number, number]
  readonly area: number
}

/**
 * Assembles the rings of one shape to polygons: outer rings run clockwise in shapefiles, holes counterclockwise, in no
 * reliable order. A hole belongs to the smallest outer ring that contains it, and is a polygon of its own if there is none.
 */
function assemblePolygons(rings: readonly Ring[]): Ring[][] {
  const measured = rings.filter((ring) => ring.length >= 3).map(measureRing)
  const outers = measured.filter(({ area }) => area <= 0)
  const holes = measured.filter(({ area }) => area > 0)
  if (outers.length === 0) return holes.map(({ ring }) => [ring])
  if (outers.length === 1 && holes.every((hole) => boxContains(outers[0]!, hole))) {
    return [[outers[0]!.ring, ...holes.map(({ ring }) => ring)]]
  }
  const polygons = new Map(outers.map((outer): [MeasuredRing, Ring[]] => [outer, [outer.ring]]))
  const bySize = outers.toSorted((a, b) => Math.abs(a.area) - Math.abs(b.area))
  for (const hole of holes) {
    const container = bySize.find((outer) => boxContains(outer, hole) && ringContains(outer.ring, hole.ring))
    if (container) polygons.get(container)!.push(hole.ring)
    else polygons.set(hole, [hole.ring])
  }
  return [...polygons.values()]
}

const measureRing = (ring: Ring): MeasuredRing => ({
  ring,
  box: coordinateExtent(ring),
  area: computeSignedPlanarArea(ring as [number, number][]),
})

const boxContains = ({ box: a }: MeasuredRing, { box: b }: MeasuredRing): boolean =>
  a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3]

/** Decided by the first position that is not on the border. */
function ringContains(outer: Ring, hole: Ring): boolean {
  for (const [x, y] of hole as [number, number][]) {
    const side = locatePointInRing(x, y, outer as [number, number][])
    if (side !== 'border') return side === 'inside'
  }
  return true
}

type Position = number[]

/** A geometry of a shapefile in its own coordinate reference system, or null for the null shape. */
export type ShpGeometry = { readonly type: string; readonly coordinates: unknown } | null

const header_bytes = 100
const file_code = 9994

/** The kinds of shapes by code; codes 11 to 18 add heights, codes 21 to 28 only measures. */
type ShapeKind = 'point' | 'line' | 'polygon' | 'points'

const kindByCode: Readonly<Record<number, ShapeKind>> = {
  1: 'point',
  3: 'line',
  5: 'polygon',
  8: 'points',
}

/**
 * Reads the shapes of a .shp file (ESRI Shapefile Technical Description, July 1998). Measures are ignored.
 *
 * @param max_bytes of one shape.
 */
export async function* readShpGeometries(
  file: ByteReader,
  name: string,
  max_bytes: number,
): AsyncGenerator<ShpGeometry> {
  const header = await file.take(header_bytes)
  if (header?.readInt32BE(0) !== file_code) throw new VectorFailure('not_vector', `"${name}" is not a .shp file.`)
  // The length counts words of two bytes; bytes beyond it are ignored.
  let remaining_bytes = header.readInt32BE(24) * 2 - header_bytes
  for (let number = 1; remaining_bytes > 0; number++) {
    const recordHeader = await file.take(8)
    if (recordHeader === null) throw truncatedFile(name)
    const length = recordHeader.readInt32BE(4) * 2
    if (length < 4 || length > remaining_bytes - 8)
      throw new VectorFailure('damaged', `Shape ${number} of "${name}" is damaged.`)
    if (length > max_bytes) {
      throw new VectorFailure('too_large', `Shape ${number} of "${name}" has more than ${max_bytes} bytes. Split it.`)
    }
    const content = await file.take(length)
    if (content === null) throw truncatedFile(name)
    remaining_bytes -= 8 + length
    yield parseShape(content, number, name)
  }
}

const truncatedFile = (name: string): VectorFailure =>
  new VectorFailure('damaged', `The file "${name}" is truncated. Upload the complete file.`)

function parseShape(content: Buffer, number: number, name: string): ShpGeometry {
  const code = content.readInt32LE(0)
  if (code === 0) return null
  const kind = kindByCode[code % 10]
  if (!kind || code > 30) {
    throw new VectorFailure(
      'unsupported',
      `Shape ${number} of "${name}" is of type ${code}${code === 31 ? ' (multipatch)' : ''}, which is not supported. Convert it to points, lines or polygons.`,
    )
  }
  try {
    return parserByKind[kind](content, Math.floor(code / 10) === 1)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new VectorFailure('damaged', `Shape ${number} of "${name}" is damaged.`, { cause: error })
  }
}

const parserByKind: Readonly<Record<ShapeKind, (content: Buffer, hasHeights: boolean) => ShpGeometry>> = {
  point: (content, hasHeights) => {
    const coordinates = [content.readDoubleLE(4), content.readDoubleLE(12)]
    if (hasHeights) coordinates.push(content.readDoubleLE(20))
    return { type: 'Point', coordinates }
  },
  points: (content, hasHeights) => {
    const count = content.readInt32LE(36)
    return { type: 'MultiPoint', coordinates: readPositions(content, 40, count, hasHeights) }
  },
  line: (content, hasHeights) => {
    const parts = readParts(content, hasHeights)
    if (parts.length === 1) return { type: 'LineString', coordinates: parts[0] }
    return { type: 'MultiLineString', coordinates: parts }
  },
  polygon: (content, hasHeights) => {
    const polygons = assemblePolygons(readParts(content, hasHeights))
    if (polygons.length === 1) return { type: 'Polygon', coordinates: polygons[0] }
    return { type: 'MultiPolygon', coordinates: polygons }
  },
}

/** The positions of lines or rings, split into their parts. */
function readParts(content: Buffer, hasHeights: boolean): Position[][] {
  const [parts, points] = [content.readInt32LE(36), content.readInt32LE(40)]
  if (parts < 0 || points < 0 || 44 + parts * 4 + points * 16 > content.length) throw new RangeError('too many parts')
  const all = readPositions(content, 44 + parts * 4, points, hasHeights)
  const starts = Array.from({ length: parts }, (_, part) => content.readInt32LE(44 + part * 4))
  return starts.map((start, part) => {
    const end = starts[part + 1] ?? points
    if (start < 0 || end < start || end > points) throw new RangeError('a part is outside of the shape')
    return all.slice(start, end)
  })
}

/** Pairs of numbers, followed by the range of heights and the heights. */
function readPositions(content: Buffer, start: number, count: number, hasHeights: boolean): Position[] {
  if (count < 0 || start + count * 16 > content.length) throw new RangeError('too many positions')
  const heights = start + count * 16 + 16
  return Array.from({ length: count }, (_, at) => {
    const position = [content.readDoubleLE(start + at * 16), content.readDoubleLE(start + at * 16 + 8)]
    if (hasHeights) position.push(content.readDoubleLE(heights + at * 8))
    return position
  })
}
