/** The shown part of the map, as in the URL: longitude, latitude and zoom. */
export interface MapView {
  readonly lon: number
  readonly lat: number
  readonly zoom: number
}

export const defaultView: MapView = { lon: 12, lat: 30, zoom: 1.6 }

/** `11.35,46.5,9.2`: five decimals are a metre. */
export const formatView = ({ lon, lat, zoom }: MapView): string =>
  `${Number(lon.toFixed(5))},${Number(lat.toFixed(5))},${Number(zoom.toFixed(2))}`

/** Null for anything that is not a view. */
export function parseView(text: unknown): MapView | null {
  const numbers = typeof text === 'string' ? text.split(',').map(Number) : []
  const [lon = NaN, lat = NaN, zoom = NaN] = numbers
  const isValid = numbers.length === 3 && Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && zoom >= 0 && zoom <= 24
  return isValid ? { lon, lat, zoom } : null
}
