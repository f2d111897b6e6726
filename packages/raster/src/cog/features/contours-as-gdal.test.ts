import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContourTracer } from './contour-lines.ts'
import type { ContourLine, Position } from './line-joiner.ts'

type Surface = (x: number, y: number) => number
type Hole = (x: number, y: number) => boolean

const hill: Surface = (x, y) => 100 * Math.sin(x * 0.21) * Math.cos(y * 0.17) + 3 * x
/** Plateaus exactly on the levels. */
const steps: Surface = (x, y) => Math.floor((x * x + 3 * x * y + 2 * y * y) / 40)
const noise: Surface = (x, y) => ((x * 48_271 + y * 69_621 + x * y * 1571) % 2039) / 100
const nowhere: Hole = () => false

interface ContourCase {
  readonly height: number
  readonly surface: Surface
  readonly isHole: Hole
  readonly interval: number
  readonly base: number
  /** By GDAL 3.6: lines, their length, and the ends of those that are not closed with the sums of their coordinates. */
  readonly expected: readonly [lines: number, length: number, ends: number, x: number, y: number]
}

const width = 40

const cases: Readonly<Record<string, ContourCase>> = {
  'a hill': {
    height: 30,
    surface: hill,
    isHole: nowhere,
    interval: 7,
    base: 0,
    expected: [94, 2141.46, 138, 3647.67, 1298.17],
  },
  'a hill with a lake': {
    height: 30,
    surface: hill,
    isHole: (x, y) => (x - 14) ** 2 + (y - 11) ** 2 < 40,
    interval: 7,
    base: 0,
    expected: [116, 1899.42, 208, 4669.6, 2156.54],
  },
  'a hill cut obliquely': {
    height: 30,
    surface: hill,
    isHole: (x, y) => x + y < 22,
    interval: 7,
    base: 1,
    expected: [83, 1679.74, 138, 3655.85, 1789.99],
  },
  'a hill with dots': {
    height: 30,
    surface: hill,
    isHole: (x, y) => x % 5 === 0 && y % 4 === 0,
    interval: 9,
    base: 3,
    expected: [199, 1534.66, 392, 8142.68, 5627.01],
  },
  'a hill with strips': {
    height: 30,
    surface: hill,
    isHole: (x, y) => x === 13 || y === 20,
    interval: 6,
    base: 1,
    expected: [170, 2295.06, 340, 7437.27, 5038.82],
  },
  'every other pixel of a hill': {
    height: 30,
    surface: hill,
    isHole: (x, y) => (x + y) % 2 === 0,
    interval: 10,
    base: 0,
    expected: [1373, 501.93, 2742, 54275.61, 40308.7],
  },
  'a row': {
    height: 1,
    surface: hill,
    isHole: nowhere,
    interval: 10,
    base: 0,
    expected: [53, 53.0, 106, 2103.31, 53.0],
  },
  plateaus: {
    height: 30,
    surface: steps,
    isHole: nowhere,
    interval: 5,
    base: 0,
    expected: [32, 837.42, 64, 1721.58, 1298.07],
  },
  'plateaus with a lake': {
    height: 30,
    surface: steps,
    isHole: (x, y) => (x - 20) ** 2 + (y - 15) ** 2 < 60,
    interval: 5,
    base: 0,
    expected: [45, 694.74, 90, 2251.23, 1703.06],
  },
  noise: {
    height: 30,
    surface: noise,
    isHole: nowhere,
    interval: 2,
    base: 0.005,
    expected: [948, 5346.87, 344, 7234.51, 2696.03],
  },
  'noise with holes': {
    height: 30,
    surface: noise,
    isHole: (x, y) => (x * 31 + y * 17) % 11 === 0,
    interval: 2,
    base: 0.005,
    expected: [1292, 4640.6, 1914, 38710.96, 25649.48],
  },
}

const distance = ([x0, y0]: Position, [x1, y1]: Position): number => Math.hypot(x1 - x0, y1 - y0)

function trace({ height, surface, isHole, interval, base }: ContourCase): ContourLine[] {
  const lines: ContourLine[] = []
  const tracer = createContourTracer(width, { interval, base }, (line) => lines.push(line))
  for (let y = 0; y < height; y++)
    tracer.add(Float64Array.from({ length: width }, (_, x) => (isHole(x, y) ? Number.NaN : surface(x, y))))
  tracer.finish()
  return lines
}

for (const [name, contourCase] of Object.entries(cases))
  test(`as many lines, as long and with the same ends as those of gdal_contour: ${name}`, () => {
    const lines = trace(contourCase)
    const length = lines.reduce(
      (sum, { positions }) =>
        sum + positions.slice(1).reduce((own, position, at) => own + distance(positions[at]!, position), 0),
      0,
    )
    // GDAL moves a value on a level by a millionth, so that lines which touch themselves may be open there.
    const ends = lines
      .map(({ positions }) => [positions[0]!, positions.at(-1)!] as const)
      .filter(([start, end]) => distance(start, end) > 1e-3)
      .flat()
    const found = [
      lines.length,
      length,
      ends.length,
      ends.reduce((sum, [x]) => sum + x, 0),
      ends.reduce((sum, [, y]) => sum + y, 0),
    ]
    for (const [at, value] of contourCase.expected.entries())
      assert.ok(Math.abs(found[at]! - value) < 0.02, `${found.join(' ')}, GDAL ${contourCase.expected.join(' ')}`)
  })
