/** Radius of the sphere of EPSG:3857, metres. */
export const web_mercator_radius_m = 6_378_137
/** Half the side of the square extent of EPSG:3857, metres. */
export const web_mercator_extent_m = Math.PI * web_mercator_radius_m
/** The maximum latitude of EPSG:3857, degrees. */
export const max_web_mercator_latitude = 85.0511287798066

/** Converts longitude and latitude in degrees to EPSG:3857 metres. At the poles y is infinite. */
export function degreesToMetres(longitude: number, latitude: number): [x: number, y: number] {
  const x = (longitude * web_mercator_extent_m) / 180
  // asinh(tan φ) equals ln(tan(π/4 + φ/2)) and is precise near the equator.
  return [x, web_mercator_radius_m * Math.asinh(Math.tan((latitude * Math.PI) / 180))]
}

/** Converts EPSG:3857 metres to longitude and latitude in degrees. */
export function metresToDegrees(x: number, y: number): [longitude: number, latitude: number] {
  return [(x * 180) / web_mercator_extent_m, (Math.atan(Math.sinh(y / web_mercator_radius_m)) * 180) / Math.PI]
}

/** Clamps a latitude to the extent of EPSG:3857. */
export function clampLatitude(latitude: number): number {
  return Math.min(max_web_mercator_latitude, Math.max(-max_web_mercator_latitude, latitude))
}

/** Ground metres per EPSG:3857 metre at a latitude (1 at the equator, 0.5 at 60°). */
export function computeGroundScale(latitude: number): number {
  return Math.cos((latitude * Math.PI) / 180)
}
