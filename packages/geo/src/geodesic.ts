/** The WGS 84 ellipsoid: semi-major axis in metres, and flattening. */
export const wgs84_semi_major_axis_m = 6_378_137
export const wgs84_flattening = 1 / 298.257223563
const semi_minor_axis_m = wgs84_semi_major_axis_m * (1 - wgs84_flattening)

const radians_per_degree = Math.PI / 180
const max_iterations = 100
/** Convergence threshold in radians: less than a micrometre on the ground. */
const convergence_radians = 1e-13

/** The geodesic from a position: its length, and its initial azimuth in radians clockwise from north. */
export interface Geodesic {
  readonly metres: number
  readonly azimuth: number
}

/**
 * Vincenty's inverse formula ("Direct and inverse solutions of geodesics on the ellipsoid", Survey Review 23, 1975):
 * degrees in, metres and radians out. Null for nearly antipodal positions, for which it does not converge.
 */
export function solveInverseGeodesic(
  longitude1: number,
  latitude1: number,
  longitude2: number,
  latitude2: number,
): Geodesic | null {
  const difference = (longitude2 - longitude1) * radians_per_degree
  const [sinU1, cosU1] = reducedLatitude(latitude1)
  const [sinU2, cosU2] = reducedLatitude(latitude2)
  let lambda = difference
  for (let iteration = 0; iteration < max_iterations; iteration++) {
    const sinLambda = Math.sin(lambda)
    const cosLambda = Math.cos(lambda)
    const across = cosU2 * sinLambda
    const along = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
    const sinSigma = Math.hypot(across, along)
    if (sinSigma === 0) return { metres: 0, azimuth: 0 }
    const cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
    const sigma = Math.atan2(sinSigma, cosSigma)
    const sinAlpha = (cosU1 * cosU2 * sinLambda) / sinSigma
    const cosSquaredAlpha = 1 - sinAlpha * sinAlpha
    // A geodesic along the equator has no vertex; its term vanishes.
    const middle = cosSquaredAlpha === 0 ? 0 : cosSigma - (2 * sinU1 * sinU2) / cosSquaredAlpha
    const previous = lambda
    lambda = difference + longitudeCorrection(cosSquaredAlpha, sinAlpha, sigma, middle)
    if (Math.abs(lambda) > Math.PI) return null
    if (Math.abs(lambda - previous) < convergence_radians) {
      const { scale, shift } = lengthTerms(cosSquaredAlpha, sigma, middle)
      return { metres: semi_minor_axis_m * scale * (sigma - shift), azimuth: Math.atan2(across, along) }
    }
  }
  return null
}

/** Vincenty's direct formula: the end of a geodesic from a position, in degrees; the longitude is not wrapped. */
export function solveDirectGeodesic(
  longitude: number,
  latitude: number,
  { azimuth, metres }: Geodesic,
): [longitude: number, latitude: number] {
  const [sinU1, cosU1] = reducedLatitude(latitude)
  const sinAzimuth = Math.sin(azimuth)
  const cosAzimuth = Math.cos(azimuth)
  const sigma1 = Math.atan2(sinU1, cosU1 * cosAzimuth)
  const sinAlpha = cosU1 * sinAzimuth
  const cosSquaredAlpha = 1 - sinAlpha * sinAlpha
  let sigma = 0
  for (let iteration = 0; iteration < max_iterations; iteration++) {
    const { scale, shift } = lengthTerms(cosSquaredAlpha, sigma, Math.cos(2 * sigma1 + sigma))
    const next = metres / (semi_minor_axis_m * scale) + shift
    const hasConverged = Math.abs(next - sigma) < convergence_radians
    sigma = next
    if (hasConverged) break
  }
  const sinSigma = Math.sin(sigma)
  const cosSigma = Math.cos(sigma)
  const rest = sinU1 * sinSigma - cosU1 * cosSigma * cosAzimuth
  const latitude2 = Math.atan2(
    sinU1 * cosSigma + cosU1 * sinSigma * cosAzimuth,
    (1 - wgs84_flattening) * Math.hypot(sinAlpha, rest),
  )
  const lambda = Math.atan2(sinSigma * sinAzimuth, cosU1 * cosSigma - sinU1 * sinSigma * cosAzimuth)
  const difference = lambda - longitudeCorrection(cosSquaredAlpha, sinAlpha, sigma, Math.cos(2 * sigma1 + sigma))
  return [longitude + difference / radians_per_degree, latitude2 / radians_per_degree]
}

function reducedLatitude(latitude: number): [sin: number, cos: number] {
  const angle = Math.atan2(
    (1 - wgs84_flattening) * Math.sin(latitude * radians_per_degree),
    Math.cos(latitude * radians_per_degree),
  )
  return [Math.sin(angle), Math.cos(angle)]
}

function longitudeCorrection(cosSquaredAlpha: number, sinAlpha: number, sigma: number, middle: number): number {
  const c = (wgs84_flattening / 16) * cosSquaredAlpha * (4 + wgs84_flattening * (4 - 3 * cosSquaredAlpha))
  const inner = middle + c * Math.cos(sigma) * (2 * middle * middle - 1)
  return (1 - c) * wgs84_flattening * sinAlpha * (sigma + c * Math.sin(sigma) * inner)
}

function lengthTerms(cosSquaredAlpha: number, sigma: number, middle: number): { scale: number; shift: number } {
  const u = cosSquaredAlpha * ((wgs84_semi_major_axis_m / semi_minor_axis_m) ** 2 - 1)
  const scale = 1 + (u / 16_384) * (4096 + u * (-768 + u * (320 - 175 * u)))
  const b = (u / 1024) * (256 + u * (-128 + u * (74 - 47 * u)))
  const sinSigma = Math.sin(sigma)
  const third = (b / 6) * middle * (4 * sinSigma * sinSigma - 3) * (4 * middle * middle - 3)
  const shift = b * sinSigma * (middle + (b / 4) * (Math.cos(sigma) * (2 * middle * middle - 1) - third))
  return { scale, shift }
}
