/** Equatorial radii in metres (IAU 2015) of what is mapped beside the Earth. */
const BODIES: readonly (readonly [name: string, radius: number])[] = [
  ['the Moon', 1_737_400],
  ['Mercury', 2_440_530],
  ['Venus', 6_051_800],
  ['Mars', 3_396_190],
  ['Phobos', 11_080],
  ['Deimos', 6200],
  ['Ceres', 487_300],
  ['Vesta', 255_000],
  ['Jupiter', 71_492_000],
  ['Io', 1_821_490],
  ['Europa', 1_560_800],
  ['Ganymede', 2_631_200],
  ['Callisto', 2_410_300],
  ['Saturn', 60_268_000],
  ['Mimas', 198_200],
  ['Enceladus', 252_100],
  ['Tethys', 531_000],
  ['Dione', 561_400],
  ['Rhea', 763_500],
  ['Titan', 2_575_000],
  ['Iapetus', 745_700],
  ['Uranus', 25_559_000],
  ['Titania', 788_900],
  ['Oberon', 761_400],
  ['Neptune', 24_764_000],
  ['Triton', 1_352_600],
  ['Pluto', 1_188_300],
  ['Charon', 606_000],
]

const EARTH = 6_375_000

/** Ellipsoids of one body differ by less than this part of its radius; PROJ tells bodies apart by the same number. */
const SAME_BODY = 0.007

const isNear = (radius: number, other: number): boolean => Math.abs(radius - other) < SAME_BODY * other

/** The body whose size this is, in words; null for the Earth. */
export function otherBody(semiMajorAxis: number): string | null {
  if (isNear(semiMajorAxis, EARTH)) return null
  const [nearest] = BODIES.filter(([, radius]) => isNear(semiMajorAxis, radius)).toSorted(
    (a, b) => Math.abs(a[1] - semiMajorAxis) - Math.abs(b[1] - semiMajorAxis),
  )
  return nearest?.[0] ?? `a body with a radius of ${Number((semiMajorAxis / 1000).toPrecision(6))} km`
}
