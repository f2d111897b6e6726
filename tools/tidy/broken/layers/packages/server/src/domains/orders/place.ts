import type { Clock } from '../../platform/clock.ts'
import { openRaster } from '@swath/raster'
export const place = (clock: Clock) => import('../../http/server.ts').then((server) => [server, clock, openRaster])
