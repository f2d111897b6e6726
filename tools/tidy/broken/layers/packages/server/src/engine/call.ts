import { place } from '../domains/orders/place.ts'
import { openRaster } from '@swath/raster'
export type Call = [typeof place, typeof openRaster]
