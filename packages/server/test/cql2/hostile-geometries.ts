type Ring = [longitude: number, latitude: number][]

/** The same numbers in each run. */
function createRandom(): () => number {
  let state = 1
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

const close = (positions: Ring): Ring => [...positions, positions[0]!]

/** A polygon of random positions: its edges cross about a tenth as often as there are pairs of them. */
export function createRandomPolygon(positions: number) {
  const random = createRandom()
  const ring = Array.from({ length: positions }, (): Ring[number] => [random() * 10, random() * 10])
  return { type: 'Polygon' as const, coordinates: [close(ring)] }
}

/** A line of random positions. */
export const createRandomLine = (positions: number) => ({
  type: 'LineString' as const,
  coordinates: createRandomPolygon(positions).coordinates[0]!,
})

const createSquare = (from: number, to: number): Ring =>
  close([
    [from, from],
    [to, from],
    [to, to],
    [from, to],
  ])

/** Squares, each a little further than the one before. */
export const createOverlappingSquares = (count: number) => ({
  type: 'MultiPolygon' as const,
  coordinates: Array.from({ length: count }, (_, at) => [createSquare(at / 1000, 1 + at / 1000)]),
})

/** Squares within each other. */
export const createNestedSquares = (count: number) => ({
  type: 'MultiPolygon' as const,
  coordinates: Array.from({ length: count }, (_, at) => [createSquare(at / count, 5 - at / count)]),
})

/** One square, again and again. */
export const createRepeatedSquare = (times: number) => ({
  type: 'Polygon' as const,
  coordinates: [Array.from({ length: times }, () => createSquare(0, 1)).flat()],
})

/** Short in a body. */
const round = (degrees: number): number => Number(degrees.toFixed(5))

/** A valid polygon whose long teeth lie obliquely beside each other, so that each edge is compared with most others. */
export function createSlantedComb(teeth: number) {
  const points = Array.from({ length: teeth }, (_, at): Ring => [
    [at / teeth, 0],
    [(at + 0.5) / teeth, 1],
  ]).flat()
  const ring = close([[0, -1], ...points, [1, -1]])
  return { type: 'Polygon' as const, coordinates: [ring.map(([x, y]): Ring[number] => [round(x - y), round(x + y)])] }
}

/** A valid polygon each of whose teeth ends at a latitude of its own: slabs of it have the square of its positions as sides. */
export function createSteppedComb(teeth: number) {
  const points = Array.from({ length: teeth }, (_, at): Ring => [
    [round(10 + at / teeth), round((0.001 * at) / teeth)],
    [round(10 + (at + 0.5) / teeth), round(1 + (0.5 * at) / teeth)],
  ]).flat()
  return { type: 'Polygon' as const, coordinates: [close([[10, -0.1], ...points, [11, 0], [11, -0.1]])] }
}

/** A line through a box that does not cross itself. */
export const createTrack = (positions: number) => ({
  type: 'LineString' as const,
  coordinates: Array.from({ length: positions }, (_, at): Ring[number] => [(10 * at) / positions, at % 2]),
})
