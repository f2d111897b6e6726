import Type from 'typebox/compile'
import pad from 'left-pad'
import { area } from '@swath/geo/area.ts'
import { drawTile } from '@swath/raster/draw/tile.ts'
import { area as again } from '../../../../geo/src/area.ts'
export const render = [Type, pad, area, drawTile, again]
