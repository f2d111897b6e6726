import { PictureLayer } from '../picture-layer.tsx'
import { usePicture } from '../picture/use-picture.ts'
import type { Style } from '../state/style.ts'
import type { ViewItem } from '../state/view-item.ts'

export interface LapseLayersProps {
  readonly frames: readonly ViewItem[]
  readonly index: number
  readonly style: Style
  readonly opacity: number
  readonly brightness: number
}

/** The frames of a time-lapse on the map; all but one are transparent, so that each is there when its turn comes. */
export const LapseLayers = ({ frames, index, opacity, ...rest }: LapseLayersProps) =>
  frames.map((item, at) => (
    <LapseLayer key={item.id} id={`lapse-${at}`} item={item} opacity={at === index ? opacity : 0} {...rest} />
  ))

interface LapseLayerProps {
  readonly id: string
  readonly item: ViewItem
  readonly style: Style
  readonly opacity: number
  readonly brightness: number
}

const LapseLayer = ({ item, style, ...rest }: LapseLayerProps) => (
  <PictureLayer read={usePicture(item, style, false)} {...rest} />
)
