import type { Figure } from '../runner.ts'

interface FigureBound {
  readonly must: number
  readonly aim?: number
  readonly atMost?: boolean
}

/**
 * Required bound and target of every figure. Unless its name says otherwise, a figure is the cost of the peer divided by
 * ours.
 */
const figureBounds = {
  'cold, nearest': { must: 1.5, aim: 2 },
  'cold, bilinear': { must: 2, aim: 2.7 },
  'pan, nearest': { must: 4, aim: 6 },
  'pan, bilinear': { must: 4.5, aim: 7 },
  'JPEG with mask, cold, nearest': { must: 3, aim: 4.5 },
  'JPEG with mask, cold, bilinear': { must: 3, aim: 4.5 },
  'terrain-RGB of float32, cold, nearest': { must: 3.5, aim: 5 },
  'terrain-RGB of float32, cold, bilinear': { must: 3.5, aim: 5 },
  'NDVI in colours, cold': { must: 1.6, aim: 2 },
  'NDVI in colours, pan': { must: 5, aim: 7 },
  'gdal.Warp without encoding, nearest': { must: 0.9, aim: 1.15 },
  'gdal.Warp without encoding, bilinear': { must: 1.7, aim: 2.2 },
  'share of the limit, nearest': { must: 0.75, aim: 0.87 },
  'share of the limit, bilinear': { must: 0.65, aim: 0.8 },
  'share of the limit in C, nearest': { must: 0.6 },
  'share of the limit in C, bilinear': { must: 0.6 },
  'two workers / two processes': { must: 0.9, aim: 1 },
  'u16 tiles after other sample types / before': { must: 1.15, aim: 1, atMost: true },
  'zonal statistics': { must: 5, aim: 12 },
  'COG of integers, deflate': { must: 0.9, aim: 1.2 },
  'COG of integers, zstd': { must: 0.85, aim: 1 },
  'COG of float32, predictor 3': { must: 0.8, aim: 1 },
  'COG, most memory in MiB': { must: 300, atMost: true },
  'tile job, most memory in MiB': { must: 192, atMost: true },
  'requests a cold tile, header known': { must: 2, atMost: true },
  'requests a cold tile, header unknown': { must: 3, atMost: true },
  'pixels of gdalwarp -et 0, nearest, equal share': { must: 0.999 },
  'pixels of gdalwarp -et 0, bilinear, most steps': { must: 1, atMost: true },
  'pixels of gdalwarp -et 0, masks, pixels apart': { must: 0, atMost: true },
  'places of PROJ, most metres apart': { must: 1e-3, aim: 1e-6, atMost: true },
} as const satisfies Record<string, FigureBound>

export type FigureName = keyof typeof figureBounds

export function createFigure(name: FigureName, value: number): Figure {
  return { name, value, ...figureBounds[name] }
}
