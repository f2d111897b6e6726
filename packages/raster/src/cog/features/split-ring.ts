import type { RingVertex } from './boundary-vertices.ts'

/** Corners of a closed line in pixels, each once. */
export type PixelRing = readonly Pick<RingVertex, 'x' | 'y'>[]

/**
 * Splits a boundary at the corners that it meets twice, where its area touches itself, into rings that meet no corner twice:
 * polygons of GeoJSON must not touch themselves inside of one ring.
 *
 * @param columns more than any x.
 */
export function splitSelfTouchingRing(vertices: readonly RingVertex[], columns: number): PixelRing[] {
  const pinches = vertices.reduce((sum, { isPinch }) => sum + (isPinch ? 1 : 0), 0)
  if (pinches < 2) return [vertices]
  const rings: PixelRing[] = []
  const open: RingVertex[] = []
  /** Index of a corner in the open part. */
  const places = new Map<number, number>()
  for (const vertex of vertices) {
    const key = vertex.y * columns + vertex.x
    const place = vertex.isPinch ? places.get(key) : undefined
    if (place !== undefined)
      for (const { x, y, isPinch } of cutFrom(open, place, rings)) if (isPinch) places.delete(y * columns + x)
    if (vertex.isPinch) places.set(key, open.length)
    open.push(vertex)
  }
  rings.push(open)
  return rings
}

function cutFrom(open: RingVertex[], place: number, rings: PixelRing[]): RingVertex[] {
  const ring = open.splice(place)
  rings.push(ring)
  return ring
}

/** Twice the area that a ring of corners surrounds, in pixels; below zero if it runs against the clock as seen on the image. */
export function computePixelRingArea(ring: PixelRing): number {
  let sum = 0
  let { x, y } = ring.at(-1)!
  for (const corner of ring) {
    sum += x * corner.y - corner.x * y
    ;({ x, y } = corner)
  }
  return sum
}
