import type { Affine } from '@swath/geo/affine.ts'
import { invertAffine } from '@swath/geo/affine.ts'
import type { Georeferencing } from '../../types.ts'

/** A ground control point: a place in the image, in pixels from its corner, with its position in the world. */
export interface ControlPoint {
  readonly column: number
  readonly row: number
  readonly x: number
  readonly y: number
}

export interface ControlPointFit {
  /** Null where no plane grid fits. */
  readonly affine: Affine | null
  readonly placement: Georeferencing
}

const min_points = 3
/** A plane grid that misses its points by more than this part of the image's diagonal (root mean square) is none. */
const max_residual = 0.01
/** Points that lie so close to one line (part of their spread) do not say how the image lies across it. */
const min_spread = 1e-6

/**
 * The plane grid that lies closest to the control points, as `gdalwarp -order 1` finds it: by least squares in pixels, from
 * the world to the image. Refused with a reason: fewer than three points, points on one line, and an image that no
 * plane grid fits to one hundredth of its diagonal (`diagonal`, in pixels).
 */
export function fitControlPoints(points: readonly ControlPoint[], diagonal: number): ControlPointFit {
  const usable = points.filter((point) => Object.values(point).every(Number.isFinite))
  if (usable.length < min_points)
    return createUngeoreferencedFit(`the file has only ${usable.length} control points, and no grid`)
  const toColumn = fitPlane(usable, (point) => point.column)
  const toRow = fitPlane(usable, (point) => point.row)
  const [, columnX, columnY] = toColumn ?? [0, 0, 0]
  const [, rowX, rowY] = toRow ?? [0, 0, 0]
  const flat =
    Math.abs(columnX * rowY - columnY * rowX) < min_spread * Math.hypot(columnX, columnY) * Math.hypot(rowX, rowY)
  const affine = toColumn && toRow && !flat ? invertAffine([...toColumn, ...toRow]) : null
  if (!toColumn || !toRow || !affine || !affine.every(Number.isFinite)) {
    return createUngeoreferencedFit('the control points of the file lie on one line')
  }
  const squares = usable.map(
    ({ column, row, x, y }) => (valueOf(toColumn, x, y) - column) ** 2 + (valueOf(toRow, x, y) - row) ** 2,
  )
  const residual = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / usable.length)
  if (!(residual <= max_residual * diagonal)) {
    return createUngeoreferencedFit(
      `the control points of the file lie on no plane grid: the closest misses them by ${residual.toFixed(0)} pixels`,
    )
  }
  return { affine, placement: { by: 'control-points', points: usable.length, residual_px: residual } }
}

export function createUngeoreferencedFit(reason: string): ControlPointFit {
  return { affine: null, placement: { by: 'nothing', reason } }
}

type Plane = readonly [constant: number, alongX: number, alongY: number]

// Normal equations around the middle of the points, in units of their spread, so that large coordinates lose nothing.
function fitPlane(points: readonly ControlPoint[], wanted: (point: ControlPoint) => number): Plane | null {
  const mean = (of: (point: ControlPoint) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [meanX, meanY, meanValue] = [mean((point) => point.x), mean((point) => point.y), mean(wanted)]
  const spread = Math.sqrt(mean(({ x, y }) => (x - meanX) ** 2 + (y - meanY) ** 2))
  if (!(spread > 0)) return null
  const sum = (of: (u: number, v: number, value: number) => number): number =>
    points.reduce(
      (total, point) => total + of((point.x - meanX) / spread, (point.y - meanY) / spread, wanted(point) - meanValue),
      0,
    )
  const uu = sum((u) => u * u)
  const uv = sum((u, v) => u * v)
  const vv = sum((_, v) => v * v)
  const determinant = uu * vv - uv * uv
  if (!(determinant > min_spread * min_spread * points.length ** 2)) return null
  const un = sum((u, _, value) => u * value)
  const vn = sum((_, v, value) => v * value)
  const alongX = (un * vv - vn * uv) / determinant / spread
  const alongY = (vn * uu - un * uv) / determinant / spread
  return [meanValue - alongX * meanX - alongY * meanY, alongX, alongY]
}

function valueOf([constant, alongX, alongY]: Plane, x: number, y: number): number {
  return constant + alongX * x + alongY * y
}
