import { readDataTable } from '../../data-table.ts'

/** Equatorial radii in metres (IAU 2015) of bodies other than the Earth. */
const celestialBodies = readDataTable<'name' | 'radius'>(new URL('./celestial-bodies.tsv', import.meta.url)).map(
  ({ name, radius }) => [name, Number(radius)] as const,
)

const earth_radius_m = 6_375_000

/** Ellipsoids of one body differ by less than this part of its radius; PROJ tells bodies apart by the same number. */
const radius_tolerance = 0.007

const isNear = (radius: number, other: number): boolean => Math.abs(radius - other) < radius_tolerance * other

/** The body whose size this is, in words; null for the Earth. */
export function otherBody(semiMajorAxis: number): string | null {
  if (isNear(semiMajorAxis, earth_radius_m)) return null
  const [nearest] = celestialBodies
    .filter(([, radius]) => isNear(semiMajorAxis, radius))
    .toSorted((a, b) => Math.abs(a[1] - semiMajorAxis) - Math.abs(b[1] - semiMajorAxis))
  return nearest?.[0] ?? `a body with a radius of ${Number((semiMajorAxis / 1000).toPrecision(6))} km`
}
