import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGeometryRepairBudget, spendGeometryRepairBudget } from './repair-cost.ts'
import { findEdgeCrossing } from './crossings.ts'

type Ring = [number, number][]

const max_ms = 500

/** The cost of the repair; Infinity if it is refused. */
function estimate(...polygons: Ring[][]): number {
  const budget = createGeometryRepairBudget(max_ms)
  return spendGeometryRepairBudget(polygons, budget) ? max_ms - budget.remaining_ms : Infinity
}

const close = (positions: Ring): Ring => [...positions, positions[0]!]

/** The same numbers in each run. */
function createRandom(): () => number {
  let state = 1
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

const random = createRandom()
const randomRing = (count: number): Ring =>
  close(Array.from({ length: count }, () => [random() * 10, random() * 10] as [number, number]))
const circle = (count: number): Ring =>
  close(
    Array.from({ length: count }, (_, at) => {
      const angle = (2 * Math.PI * at) / count
      return [5 * Math.cos(angle), 5 * Math.sin(angle)] as [number, number]
    }),
  )
const square = (from: number, to: number): Ring => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
]
const comb = (teeth: number): Ring =>
  close([
    [0, -1],
    ...Array.from({ length: teeth }, (_, at): Ring => [
      [at / teeth, 0],
      [(at + 0.5) / teeth, 1],
    ]).flat(),
    [1, -1],
  ])
const turn = (ring: Ring, degrees: number): Ring => {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return ring.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos])
}

function countSlowly(ring: Ring): number {
  const side = (a: number[], b: number[], c: number[]): number =>
    Math.sign((b[0]! - a[0]!) * (c[1]! - a[1]!) - (c[0]! - a[0]!) * (b[1]! - a[1]!))
  let crossings = 0
  for (let p = 0; p + 1 < ring.length; p++)
    for (let q = p + 1; q + 1 < ring.length; q++) {
      const [a, b, c, d] = [ring[p]!, ring[p + 1]!, ring[q]!, ring[q + 1]!]
      if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) crossings++
    }
  return crossings
}

test('counts each crossing once, as the comparison of all pairs does', () => {
  for (let count = 3; count <= 40; count++) {
    const ring = randomRing(count)
    assert.equal(estimate([ring]), countSlowly(ring), `${count} positions`)
  }
})

test('valid geometries of any size cost nothing', () => {
  assert.equal(estimate([circle(50_000)]), 0)
  assert.equal(estimate([comb(20_000)]), 0)
  assert.equal(estimate([turn(comb(20_000), 90)]), 0)
  assert.equal(estimate([square(0, 10), square(1, 2), square(3, 4)]), 0)
})

test('random rings, overlapping and nested polygons, and repeated edges are too expensive', () => {
  assert.equal(estimate([randomRing(300)]), Infinity)
  assert.equal(estimate([randomRing(90_000)]), Infinity)
  assert.equal(estimate(...Array.from({ length: 50 }, (_, at) => [square(at / 1000, 1 + at / 1000)])), Infinity)
  assert.equal(estimate(...Array.from({ length: 300 }, (_, at) => [square(at / 1000, 5 - at / 1000)])), Infinity)
  const once = square(0, 1)
  assert.equal(estimate([Array.from({ length: 1000 }, () => once).flat()]), Infinity)
})

test('a grid of polygons with common borders is affordable', () => {
  const tiles = Array.from({ length: 900 }, (_, at): Ring[] => {
    const [x, y] = [at % 30, Math.floor(at / 30)]
    return [square(0, 1).map(([dx, dy]) => [x + dx, y + dy])]
  })
  assert.ok(estimate(...tiles) < max_ms)
})

test('long edges beside each other end the count, and the search for a crossing', () => {
  const diagonal = turn(comb(20_000), 45)
  assert.equal(estimate([diagonal]), Infinity)
  assert.equal(findEdgeCrossing([{ positions: diagonal }]), 'too-complex')
  assert.equal(findEdgeCrossing([{ positions: turn(comb(500), 45) }]), null)
})

test('geometries share a budget, and one that is refused takes no time from it', () => {
  const budget = createGeometryRepairBudget(10)
  const bowtie = (at: number): Ring =>
    close([
      [at, 0],
      [at + 1, 1],
      [at + 1, 0],
      [at, 1],
    ])
  for (let at = 0; at < 9; at++) assert.ok(spendGeometryRepairBudget([[bowtie(at)]], budget))
  assert.equal(spendGeometryRepairBudget([[bowtie(0), bowtie(2), bowtie(4)]], budget), false)
  assert.ok(spendGeometryRepairBudget([[bowtie(0)]], budget))
  assert.equal(spendGeometryRepairBudget([[bowtie(0)]], budget), false)
  assert.ok(spendGeometryRepairBudget([[square(0, 1)]], budget))
})
