import type { Position } from '../state/viewer-state.ts'

/** `46.50000, 11.35000`: latitude first, as people write it. */
export const formatPosition = ([lon, lat]: Position): string => `${lat.toFixed(5)}, ${lon.toFixed(5)}`

export const formatLength = (metres: number): string =>
  metres < 1000
    ? `${metres.toLocaleString('en', { maximumFractionDigits: metres < 10 ? 1 : 0 })} m`
    : `${(metres / 1000).toLocaleString('en', { maximumFractionDigits: metres < 10_000 ? 2 : 1 })} km`
