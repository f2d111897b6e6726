// Allowed by the map, but its package.json does not say so.
import { area } from '@swath/geo/area.ts'
export const drawTile = area
