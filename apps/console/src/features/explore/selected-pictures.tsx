import { findFootprintCorners } from '@swath/geo/footprint-corners.ts'
import { useMemo } from 'react'
import { useImage } from '../../api/use-image.ts'
import { ImageLayer } from '../../map/image-layer.tsx'
import { MapOverlay } from '../../map/map-overlay.tsx'
import { NumberLayer } from '../../map/number-layer.tsx'
import { exploreTexts } from '../../texts/explore.ts'
import { formatDate } from '../../ui/format.ts'
import styles from './explore.module.css'
import { toNumberPoints, type NumberedScene } from './number-scenes.ts'
import { footprintOf, quicklookPath, timeOf, titleOf } from './scenes.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

/** The layer that the pictures are drawn below: the outlines of all scenes. */
const outlines = 'scenes-fill'
const layerOf = (key: string): string => `picture ${key}`
/** Of the other pictures, while one is pointed at. */
const faded_opacity = 0.25

export interface SelectedPicturesProps {
  /** In the order of their dates. */
  readonly numbered: readonly NumberedScene[]
  readonly hovered: string | null
  readonly onHover: (key: string | null) => void
  readonly onOpen: (key: string) => void
}

/** The quicklooks of the selected scenes on the map, the newest on top, with their numbers and a legend that says which is which. */
export function SelectedPictures({ numbered, hovered, onHover, onOpen }: SelectedPicturesProps) {
  const points = useMemo(() => toNumberPoints(numbered), [numbered])
  if (numbered.length === 0) return null
  const isOneHovered = numbered.some(({ key }) => key === hovered)
  return (
    <>
      {numbered.map(({ key, scene }, at) => (
        <Picture
          key={key}
          scene={scene}
          id={layerOf(key)}
          newer={numbered.slice(at + 1).map((other) => layerOf(other.key))}
          opacity={isOneHovered && key !== hovered ? faded_opacity : 1}
        />
      ))}
      <NumberLayer id="picture-numbers" points={points} />
      <MapOverlay side="left" label={exploreTexts.pictures}>
        <ol className={styles['pictures']}>
          {numbered.map(({ key, number, scene }) => (
            <li key={key}>
              <button
                className={`${layout['stack8']} ${layout['choice']}`}
                type="button"
                data-hovered={key === hovered}
                onPointerEnter={() => onHover(key)}
                onPointerLeave={() => onHover(null)}
                onFocus={() => onHover(key)}
                onBlur={() => onHover(null)}
                onClick={() => onOpen(key)}
              >
                <b className="figures">{number}</b>
                <span className="figures">{timeOf(scene) ? formatDate(timeOf(scene)!) : exploreTexts.undated}</span>
                <small className={typography['clip']}>{titleOf(scene)}</small>
              </button>
            </li>
          ))}
        </ol>
      </MapOverlay>
    </>
  )
}

interface PictureProps {
  readonly scene: NumberedScene['scene']
  readonly id: string
  /** The layers of newer pictures, the next one first. */
  readonly newer: readonly string[]
  readonly opacity: number
}

/** Nothing for a scene without a picture, or whose footprint is no quadrangle. */
function Picture({ scene, id, newer, opacity }: PictureProps) {
  const path = quicklookPath(scene)
  const { url } = useImage(path)
  const footprint = footprintOf(scene)
  const corners = footprint && findFootprintCorners(footprint)
  return url && corners ? (
    <ImageLayer id={id} path={path} corners={corners} opacity={opacity} below={[...newer, outlines]} />
  ) : null
}
