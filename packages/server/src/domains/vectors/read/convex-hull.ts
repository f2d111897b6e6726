type PlanePoint = readonly [x: number, y: number]

/** The number of positions that are collected before inner ones are dropped. */
const max_pending_positions = 20_000

export interface ConvexHull {
  add(x: number, y: number): void
  /** The vertices counterclockwise, without repeating the first; one or two if there is no area. */
  vertices(): PlanePoint[]
}

/** Builds the convex hull of a stream of positions; only possible vertices are stored. */
export function createConvexHull(): ConvexHull {
  let pending: PlanePoint[] = []
  let innerRing: readonly PlanePoint[] = []
  const compress = (): void => {
    pending = convexHull(pending)
    innerRing = extremeVertices(pending)
  }
  return {
    add(x, y) {
      if (isInside(innerRing, x, y)) return
      pending.push([x, y])
      if (pending.length >= max_pending_positions) compress()
    },
    vertices() {
      compress()
      return pending
    },
  }
}

/** Andrew's monotone chain. */
function convexHull(points: readonly PlanePoint[]): PlanePoint[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const distinct = sorted.filter(
    (point, at) => at === 0 || point[0] !== sorted[at - 1]![0] || point[1] !== sorted[at - 1]![1],
  )
  if (distinct.length < 3) return distinct
  const [lower, upper] = [halfHull(distinct), halfHull(distinct.toReversed())]
  return [...lower.slice(0, -1), ...upper.slice(0, -1)]
}

function halfHull(points: readonly PlanePoint[]): PlanePoint[] {
  const chain: PlanePoint[] = []
  for (const point of points) {
    while (chain.length >= 2 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop()
    chain.push(point)
  }
  return chain
}

const turn = (a: PlanePoint, b: PlanePoint, c: PlanePoint): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

const directions = Array.from({ length: 8 }, (_, step): PlanePoint => {
  const angle = (step * Math.PI) / 4
  return [Math.cos(angle), Math.sin(angle)]
})

/** The extreme vertices in eight directions (Akl and Toussaint): positions inside of them are not vertices. */
function extremeVertices(vertices: readonly PlanePoint[]): PlanePoint[] {
  const projection = ([x, y]: PlanePoint, [dx, dy]: PlanePoint): number => x * dx + y * dy
  const extremePoints = directions.map((direction) =>
    vertices.reduce((best, vertex) => (projection(vertex, direction) > projection(best, direction) ? vertex : best)),
  )
  const distinct = extremePoints.filter((point, at) => point !== extremePoints.at(at - 1))
  return distinct.length >= 3 ? distinct : []
}

function isInside(ring: readonly PlanePoint[], x: number, y: number): boolean {
  if (ring.length === 0) return false
  for (let at = 0; at < ring.length; at++) {
    if (turn(ring[at]!, ring[at + 1] ?? ring[0]!, [x, y]) <= 0) return false
  }
  return true
}
