import { RasterFailure } from '../../failures.ts'

/** A vertex by its number in the pool; -1 is none. */
export type BoundaryVertex = number
export const no_boundary_vertex = -1

/**
 * The corners of boundaries that are being traced, as linked lists in typed arrays. A boundary that is not closed yet is a chain
 * from its tail to its head; its two ends know each other. Memory: 17 bytes for each corner of an area that is not complete.
 */
export interface BoundaryVertices {
  /** At the same time. */
  readonly max_vertices: number
  xs: Int32Array
  ys: Int32Array
  /** 1 where areas of one value may touch with their corners only. */
  pinches: Uint8Array
  /** The next vertex of the chain or ring; of a free vertex the next free one. */
  next: Int32Array
  /** Of an end of a chain the other end; of the first vertex of a ring the first one of the next ring of its area. */
  mates: Int32Array
  used: number
  free: BoundaryVertex
}

/** Sieved classes have fewer. */
export class TooManyBoundaryVertices extends RasterFailure {
  constructor() {
    super('budget', 'the areas have too many corners')
  }
}

export interface RingVertex {
  readonly x: number
  readonly y: number
  readonly isPinch: boolean
}

const first_capacity = 4096

export const createBoundaryVertices = (max_vertices: number): BoundaryVertices => ({
  max_vertices,
  xs: new Int32Array(first_capacity),
  ys: new Int32Array(first_capacity),
  pinches: new Uint8Array(first_capacity),
  next: new Int32Array(first_capacity),
  mates: new Int32Array(first_capacity),
  used: 0,
  free: no_boundary_vertex,
})

/**
 * A chain of one vertex.
 *
 * @throws TooManyBoundaryVertices for more vertices than allowed.
 */
export function addBoundaryVertex(pool: BoundaryVertices, x: number, y: number, isPinch: boolean): BoundaryVertex {
  const vertex = takeFreeVertex(pool)
  pool.xs[vertex] = x
  pool.ys[vertex] = y
  pool.pinches[vertex] = isPinch ? 1 : 0
  pool.next[vertex] = no_boundary_vertex
  pool.mates[vertex] = vertex
  return vertex
}

function takeFreeVertex(pool: BoundaryVertices): BoundaryVertex {
  const { free } = pool
  if (free !== no_boundary_vertex) {
    pool.free = pool.next[free]!
    return free
  }
  if (pool.used === pool.max_vertices) throw new TooManyBoundaryVertices()
  if (pool.used === pool.xs.length) growPool(pool)
  return pool.used++
}

function growPool(pool: BoundaryVertices): void {
  for (const name of ['xs', 'ys', 'next', 'mates'] as const) {
    const larger = new Int32Array(pool[name].length * 2)
    larger.set(pool[name])
    pool[name] = larger
  }
  const larger = new Uint8Array(pool.pinches.length * 2)
  larger.set(pool.pinches)
  pool.pinches = larger
}

/** Continues the chain that ends with `head` with the one that begins with `tail`. True if they are one, which is now a ring. */
export function joinVertexChains(
  { next, mates }: BoundaryVertices,
  head: BoundaryVertex,
  tail: BoundaryVertex,
): boolean {
  next[head] = tail
  if (mates[head] === tail) return true
  const [begin, end] = [mates[head]!, mates[tail]!]
  mates[begin] = end
  mates[end] = begin
  return false
}

/** The corners of a ring, each once. Its vertices are free afterwards. */
export function takeRingVertices(pool: BoundaryVertices, ring: BoundaryVertex): RingVertex[] {
  const { xs, ys, pinches, next } = pool
  const vertices: RingVertex[] = []
  let vertex = ring
  do {
    vertices.push({ x: xs[vertex]!, y: ys[vertex]!, isPinch: pinches[vertex] === 1 })
    const following = next[vertex]!
    next[vertex] = pool.free
    pool.free = vertex
    vertex = following
  } while (vertex !== ring)
  return vertices
}
