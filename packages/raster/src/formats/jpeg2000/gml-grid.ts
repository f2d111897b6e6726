import type { Affine } from '@swath/geo/affine.ts'
import { invertAffine } from '@swath/geo/affine.ts'

/** The grid that a GMLJP2 description (OGC 05-047) gives an image. */
export interface GmlGrid {
  /** Pixel corner to world, x to the east. */
  readonly affine: Affine
  readonly epsg: number
}

/**
 * Reads the rectified grid out of the GML of a .jp2 file; null where it holds none that is understood. The origin of such
 * a grid is the middle of the first pixel. Degrees come with the latitude first, as the register of EPSG has them, and
 * so do the coordinates of some projected systems: there the step from column to column shows which one goes east.
 *
 * @param isGeographic tells of an EPSG code whether it counts in degrees.
 */
export async function readGmlGrid(
  gml: string,
  isGeographic: (epsg: number) => Promise<boolean>,
): Promise<GmlGrid | null> {
  const start = gml.search(/<(?:gml:)?RectifiedGrid[\s>]/)
  if (start < 0) return null
  // A grid is a few hundred characters; whatever stands far behind is none of it, and would only cost time.
  const grid = gml.slice(start, start + max_grid_characters).split(/<\/(?:gml:)?RectifiedGrid>/)[0]!
  const code = (srsPattern.exec(grid) ?? srsPattern.exec(gml.slice(0, max_grid_characters)))?.[1]
  const origin = numbersIn(/<(?:gml:)?(?:pos|coordinates)[^>]*>([^<]*)</.exec(grid)?.[1])
  const [first, second] = [...grid.matchAll(/<(?:gml:)?offsetVector[^>]*>([^<]*)</g)].map((found) =>
    numbersIn(found[1]),
  )
  if (code === undefined || origin.length < 2 || first?.length !== 2 || second?.length !== 2) return null
  const epsg = Number(code)
  const northFirst = (await isGeographic(epsg)) || Math.abs(first[1]!) > Math.abs(first[0]!)
  const [x, y] = northFirst ? [1, 0] : [0, 1]
  const [b, e, c, f] = [first[x]!, first[y]!, second[x]!, second[y]!]
  const affine: Affine = [origin[x]! - (b + c) / 2, b, c, origin[y]! - (e + f) / 2, e, f]
  return affine.every(Number.isFinite) && invertAffine(affine) ? { affine, epsg } : null
}

const max_grid_characters = 8192

// As a name (urn:ogc:def:crs:EPSG::32632) or an address (http://www.opengis.net/def/crs/EPSG/0/4326).
const srsPattern = /srsName="[^"]*EPSG[^"]*[:#/](\d{4,5})"/i

function numbersIn(text: string | undefined): number[] {
  return (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number)
}
