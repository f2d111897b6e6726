// Allowed by boundaries.ts, but not declared in its package.json.
import { area } from '@swath/geo/area.ts'
export const drawTile = area
