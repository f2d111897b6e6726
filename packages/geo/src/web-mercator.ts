/** Radius of the sphere of EPSG:3857, metres. */
export const WEB_MERCATOR_RADIUS_M = 6_378_137
/** Half the side of the square extent of EPSG:3857, metres. */
export const WEB_MERCATOR_EXTENT_M = Math.PI * WEB_MERCATOR_RADIUS_M
/** The maximum latitude of EPSG:3857, degrees. */
export const WEB_MERCATOR_LATITUDE = 85.0511287798066

/** Converts longitude and latitude in degrees to EPSG:3857 metres. At the poles y is infinite. */
export function degreesToMetres(longitude: number, latitude: number): [x: number, y: number] {
  const x = (longitude * WEB_MERCATOR_EXTENT_M) / 180
  // asinh(tan φ) equals ln(tan(π/4 + φ/2)) and is precise near the equator.
  return [x, WEB_MERCATOR_RADIUS_M * Math.asinh(Math.tan((latitude * Math.PI) / 180))]
}

/** Converts EPSG:3857 metres to longitude and latitude in degrees. */
export function metresToDegrees(x: number, y: number): [longitude: number, latitude: number] {
  return [(x * 180) / WEB_MERCATOR_EXTENT_M, (Math.atan(Math.sinh(y / WEB_MERCATOR_RADIUS_M)) * 180) / Math.PI]
}

/** Clamps a latitude to the extent of EPSG:3857. */
export function clampLatitude(latitude: number): number {
  return Math.min(WEB_MERCATOR_LATITUDE, Math.max(-WEB_MERCATOR_LATITUDE, latitude))
}

/** Ground metres per EPSG:3857 metre at a latitude (1 at the equator, 0.5 at 60°). */
export function groundScale(latitude: number): number {
  return Math.cos((latitude * Math.PI) / 180)
}
