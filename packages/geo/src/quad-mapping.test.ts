import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapToQuadFractions, type QuadCorners } from './quad-mapping.ts'

const near = ([u, v]: readonly number[], expected: readonly number[]): void => {
  assert.ok(Math.abs(u! - expected[0]!) < 1e-9 && Math.abs(v! - expected[1]!) < 1e-9, `${u}, ${v}, not ${expected}`)
}

test('the corners of a quadrilateral are the corners of the unit square', () => {
  const quads: readonly QuadCorners[] = [
    [
      [10, 51],
      [11, 51],
      [11, 50],
      [10, 50],
    ],
    [
      [10.2, 51],
      [11.4, 51.1],
      [11, 50],
      [9.9, 50.1],
    ],
    [
      [0, 2],
      [3, 3],
      [4, 0],
      [1, -1],
    ],
  ]
  for (const corners of quads) {
    const map = mapToQuadFractions(corners)!
    const [topLeft, topRight, bottomRight, bottomLeft] = corners
    near(map(...topLeft), [0, 0])
    near(map(...topRight), [1, 0])
    near(map(...bottomRight), [1, 1])
    near(map(...bottomLeft), [0, 1])
    const centre = (axis: 0 | 1) => (topLeft[axis] + bottomRight[axis]) / 2
    const [u, v] = map(centre(0), centre(1))
    assert.ok(u > 0.3 && u < 0.7 && v > 0.3 && v < 0.7, `the middle is in the middle: ${u}, ${v}`)
  }
})

test('a parallelogram is mapped evenly, and positions outside are beyond 0 to 1', () => {
  const map = mapToQuadFractions([
    [0, 2],
    [4, 4],
    [6, 2],
    [2, 0],
  ])!
  near(map(3, 2), [0.5, 0.5])
  near(map(1, 2.5), [0.25, 0])
  near(map(6, 5), [1.5, 0])
})

test('corners on a line have no inside', () => {
  assert.equal(
    mapToQuadFractions([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ]),
    null,
  )
  assert.equal(
    mapToQuadFractions([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]),
    null,
  )
})
