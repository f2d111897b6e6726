type Flat = readonly [x: number, y: number]

/** The number of positions that are collected before inner ones are dropped. */
const batch = 20_000

export interface Hull {
  add(x: number, y: number): void
  /** The vertices counterclockwise, without repeating the first; one or two if there is no area. */
  corners(): Flat[]
}

/** Builds the convex hull of a stream of positions; only possible vertices are kept. */
export function createHull(): Hull {
  let held: Flat[] = []
  let inner: readonly Flat[] = []
  const compress = (): void => {
    held = convexHull(held)
    inner = extremes(held)
  }
  return {
    add(x, y) {
      if (isInside(inner, x, y)) return
      held.push([x, y])
      if (held.length >= batch) compress()
    },
    corners() {
      compress()
      return held
    },
  }
}

/** Andrew's monotone chain. */
function convexHull(points: readonly Flat[]): Flat[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const distinct = sorted.filter(
    (point, at) => at === 0 || point[0] !== sorted[at - 1]![0] || point[1] !== sorted[at - 1]![1],
  )
  if (distinct.length < 3) return distinct
  const [lower, upper] = [halfHull(distinct), halfHull(distinct.toReversed())]
  return [...lower.slice(0, -1), ...upper.slice(0, -1)]
}

function halfHull(points: readonly Flat[]): Flat[] {
  const chain: Flat[] = []
  for (const point of points) {
    while (chain.length >= 2 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop()
    chain.push(point)
  }
  return chain
}

const turn = (a: Flat, b: Flat, c: Flat): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

const directions = Array.from({ length: 8 }, (_, step): Flat => {
  const angle = (step * Math.PI) / 4
  return [Math.cos(angle), Math.sin(angle)]
})

/** The extreme vertices in eight directions (Akl and Toussaint): positions inside of them are not vertices. */
function extremes(corners: readonly Flat[]): Flat[] {
  const reach = ([x, y]: Flat, [dx, dy]: Flat): number => x * dx + y * dy
  const furthest = directions.map((way) =>
    corners.reduce((best, one) => (reach(one, way) > reach(best, way) ? one : best)),
  )
  const distinct = furthest.filter((point, at) => point !== furthest.at(at - 1))
  return distinct.length >= 3 ? distinct : []
}

function isInside(ring: readonly Flat[], x: number, y: number): boolean {
  if (ring.length === 0) return false
  for (let at = 0; at < ring.length; at++) {
    if (turn(ring[at]!, ring[at + 1] ?? ring[0]!, [x, y]) <= 0) return false
  }
  return true
}
