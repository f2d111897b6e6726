import type { PolygonizedRegionRings } from './touching-regions.ts'
import {
  addBoundaryVertex,
  createBoundaryVertices,
  joinVertexChains,
  no_boundary_vertex,
  takeRingVertices,
} from './boundary-vertices.ts'
import type { BoundaryVertices, BoundaryVertex } from './boundary-vertices.ts'
import {
  addAreaRing,
  createConnectedPixelAreas,
  completePixelAreasOfRow,
  no_pixel_area,
  numberPixelAreasOfRow,
  type ConnectedPixelAreas,
} from './pixel-areas.ts'
import { computePixelRingArea, splitSelfTouchingRing, type PixelRing } from './split-ring.ts'

/** A polygon in pixels: the outer ring, which runs against the clock as seen on the image, then those of its holes. */
export type PixelPolygon = readonly PixelRing[]

/** Connected pixels of one value; several polygons if they touch at corners only. */
export interface PixelAreaFeature {
  readonly value: number
  readonly polygons: readonly PixelPolygon[]
}

export interface PolygonTracerOptions {
  /** 4: pixels touch at their sides; 8: also at their corners. */
  readonly connectedness: 4 | 8
  /** Corners of features that are not complete. */
  readonly max_vertices: number
}

export interface PolygonTracer {
  /** The values of the next row of pixels; NaN where there is none. */
  add(values: Float64Array): void
  /** Passes on the features that are left. */
  finish(): void
}

/**
 * Traces the boundaries of areas of equal values between rows of pixels: each side between two areas is part of two boundaries,
 * which have their area on the left. Boundaries turn at the corner of their own pixel where two pixels of an area touch
 * diagonally, and are split there when the area is complete. Memory: the areas that reach the last row.
 *
 * @param width pixels of a row.
 * @param give called with each feature once it is complete.
 */
export function createPolygonTracer(
  width: number,
  { connectedness, max_vertices }: PolygonTracerOptions,
  give: (feature: PixelAreaFeature) => void,
): PolygonTracer {
  const vertices = createBoundaryVertices(max_vertices)
  const polygonOf = (area: PolygonizedRegionRings): PixelPolygon => takePolygon(vertices, area, width)
  const areas = createConnectedPixelAreas({
    width,
    connectedness,
    vertices,
    give: (parts) => give({ value: parts[0]!.value, polygons: parts.map(polygonOf) }),
  })
  const traceCorners = createCornerTracer(areas)
  const nothing = new Float64Array(width).fill(Number.NaN)
  let above: Float64Array = nothing
  let row = 0
  const add = (values: Float64Array): void => {
    numberPixelAreasOfRow(areas, values)
    traceCorners(row++, [above, values])
    completePixelAreasOfRow(areas)
    above = values
  }
  return { add, finish: () => add(nothing) }
}

function takePolygon(vertices: BoundaryVertices, { rings }: PolygonizedRegionRings, width: number): PixelPolygon {
  const split: PixelRing[] = []
  for (let ring = rings; ring !== no_boundary_vertex;) {
    const following = vertices.mates[ring]!
    split.push(...splitSelfTouchingRing(takeRingVertices(vertices, ring), width + 1))
    ring = following
  }
  // An area that is connected by sides has one outer ring, which has the least signed area.
  return split.toSorted((a, b) => computePixelRingArea(a) - computePixelRingArea(b))
}

/** The four pixels at a corner, by the clock. */
const [NW, NE, SE, SW] = [0, 1, 2, 3] as const

/** Traces what happens at the corners between two rows of pixels, from left to right. */
function createCornerTracer(
  areas: ConnectedPixelAreas,
): (y: number, values: readonly [above: Float64Array, below: Float64Array]) => void {
  const { width, vertices } = areas
  /** Ends of chains on the vertical sides of the row above: heads that come down, tails that are reached from below. */
  const heads = new Int32Array(width + 1).fill(no_boundary_vertex)
  const tails = new Int32Array(width + 1).fill(no_boundary_vertex)

  return (y, values) => {
    const { above, below } = areas
    /** The same on the horizontal side left of the corner. */
    let [eastHead, westTail]: [BoundaryVertex, BoundaryVertex] = [no_boundary_vertex, no_boundary_vertex]
    for (let x = 0; x <= width; x++) {
      const [nw, ne, sw, se] = [above[x]!, above[x + 1]!, below[x]!, below[x + 1]!]
      // Boundaries go straight on.
      if ((nw === sw && ne === se) || (nw === ne && sw === se)) continue
      const around = [nw, ne, se, sw]
      const isPinch = nw !== ne && ne !== se && se !== sw && sw !== nw && touchesDiagonally(values, x)
      const [fromWest, fromNorth, toNorth, toWest] = [eastHead, heads[x]!, tails[x]!, westTail]
      for (let entry: number = NW; entry <= SW; entry++) {
        const area = around[entry]!
        if (area === no_pixel_area || area === around[(entry + 3) & 3]) continue
        let exit: number = entry
        while (around[exit] === around[(exit + 1) & 3]) exit = (exit + 1) & 3
        if (exit === ((entry + 1) & 3)) continue
        const vertex = addBoundaryVertex(vertices, x, y, isPinch)
        // The boundary of a pixel arrives along the side that it shares with the pixel before it, and leaves along the other.
        if (entry === NW) joinVertexChains(vertices, fromWest, vertex)
        else if (entry === NE) joinVertexChains(vertices, fromNorth, vertex)
        else if (entry === SE) westTail = vertex
        else tails[x] = vertex
        if (exit === NE) eastHead = vertex
        else if (exit === SE) heads[x] = vertex
        else if (joinVertexChains(vertices, vertex, exit === NW ? toNorth : toWest)) addAreaRing(areas, area, vertex)
      }
    }
  }
}

function touchesDiagonally([above, below]: readonly [Float64Array, Float64Array], x: number): boolean {
  return above[x - 1] === below[x] || above[x] === below[x - 1]
}
