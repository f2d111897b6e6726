import { RasterLayer } from '../../map/raster-layer.tsx'
import type { PictureRead } from './picture/use-picture.ts'

export interface PictureLayerProps {
  readonly id: string
  readonly read: PictureRead
  readonly opacity: number
  readonly brightness: number
  readonly attempt?: number
  readonly onFailures?: (count: number) => void
}

/** The tiles of a picture on the map, once it is loaded. */
export const PictureLayer = ({ read: { tiles, extent }, ...rest }: PictureLayerProps) =>
  tiles && extent ? <RasterLayer tiles={tiles} {...extent} {...rest} /> : null
