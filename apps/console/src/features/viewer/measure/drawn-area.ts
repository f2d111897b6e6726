import type { Position } from '../state/viewer-state.ts'

export interface DrawnArea {
  readonly type: 'Polygon'
  readonly coordinates: [number, number][][]
}

/** The polygon of drawn corners; null as long as there are too few. */
export function toDrawnArea(corners: readonly Position[]): DrawnArea | null {
  if (corners.length < 3) return null
  const ring = [...corners, corners[0]!].map(([lon, lat]): [number, number] => [lon, lat])
  return { type: 'Polygon', coordinates: [ring] }
}
