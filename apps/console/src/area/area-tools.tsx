import { BoxSelect, Circle, ClipboardPaste, Hexagon, Scan, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { DrawPath } from '../map/draw-path.tsx'
import { useMap } from '../map/map-context.tsx'
import { areaTexts } from '../texts/area.ts'
import { Button } from '../ui/button.tsx'
import { formatArea as formatKm2 } from '../ui/format.ts'
import { AreaInput } from './area-input.tsx'
import styles from './area.module.css'
import { type AreaShape, type Corner, boxArea, shapeArea } from './area.ts'
import { useAreaDrop } from './use-area-drop.ts'
import { useAreaReading } from './use-area-reading.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'
import type { MapMouseEvent } from 'maplibre-gl'
import { AreaLayer } from '../map/area-layer.tsx'

/** The area as it would be if the pointer were clicked now. */
function DrawPreview({ shape, corners }: { shape: AreaShape; corners: readonly Corner[] }) {
  const map = useMap()
  const [pointer, setPointer] = useState<Corner | null>(null)
  useEffect(() => {
    if (!map) return
    const move = ({ lngLat }: MapMouseEvent): void => setPointer([lngLat.lng, lngLat.lat])
    map.on('mousemove', move)
    return () => void map.off('mousemove', move)
  }, [map])
  const area = pointer && shapeArea(shape, [...corners, pointer])
  return (
    area && <AreaLayer id="area-preview" geometry={area as unknown as GeoJSON.Geometry} colour="--accent" isDashed />
  )
}

export interface AreaToolsProps {
  readonly area: AreaGeometry | null
  readonly onChange: (area: AreaGeometry | null) => void
}

const shapes = [
  ['polygon', Hexagon],
  ['box', BoxSelect],
  ['circle', Circle],
] as const satisfies readonly (readonly [AreaShape, unknown])[]

const { words } = areaTexts

/** Ways to say where: draw on the map, take its view, paste, or choose a file. */
export function AreaTools({ area, onChange }: AreaToolsProps) {
  const map = useMap()
  const [shape, setShape] = useState<AreaShape | null>(null)
  const [corners, setCorners] = useState<readonly Corner[]>([])
  const [isPasting, setPasting] = useState(false)

  const takeArea = (chosen: AreaGeometry): void => {
    onChange(chosen)
    setPasting(false)
  }
  const reader = useAreaReading(takeArea)
  const isOver = useAreaDrop(reader.readFile)

  const finish = (next: readonly Corner[] = corners): void => {
    const drawn = shape && shapeArea(shape, next)
    if (drawn) onChange(drawn)
    setShape(null)
    setCorners([])
  }
  const draw = (next: readonly Corner[]): void => {
    setCorners(next)
    if (shape !== 'polygon' && next.length === 2) finish(next)
  }
  const takeView = (): void => {
    const bounds = map?.getBounds()
    if (bounds) onChange(boxArea(bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()))
  }
  return (
    <div className={`${layout['stack8']} ${styles['tools']}`}>
      <div className={styles['ways']} role="group" aria-label={areaTexts.label}>
        {shapes.map(([name, icon]) => (
          <Button
            key={name}
            kind="quiet"
            icon={icon}
            aria-label={areaTexts.shapes[name]}
            title={areaTexts.shapes[name]}
            aria-pressed={shape === name}
            onClick={() => {
              setCorners([])
              setShape(shape === name ? null : name)
              map?.getCanvas().focus()
            }}
          >
            {words[name]}
          </Button>
        ))}
        <Button kind="quiet" icon={Scan} aria-label={areaTexts.view} title={areaTexts.view} onClick={takeView}>
          {words.view}
        </Button>
        <Button
          kind="quiet"
          icon={ClipboardPaste}
          aria-label={areaTexts.paste}
          title={areaTexts.paste}
          aria-expanded={isPasting}
          onClick={() => setPasting(!isPasting)}
        >
          {words.paste}
        </Button>
      </div>
      {area && (
        <p className={`${typography['note']} ${styles['area']}`}>
          {areaTexts.size(formatKm2(geometryArea_km2(area)))}
          <Button kind="quiet" icon={X} onClick={() => onChange(null)}>
            {areaTexts.clear}
          </Button>
        </p>
      )}
      {shape && (
        <p className={typography['note']} role="status">
          {areaTexts.hints[shape]}
        </p>
      )}
      {reader.error && !isPasting && (
        <p className={typography['note']} role="alert">
          {reader.error}
        </p>
      )}
      {reader.note && (
        <p className={typography['note']} role="status">
          {reader.note}
        </p>
      )}
      {isOver && <p className={`${typography['note']} ${layout['center']} ${styles['drop']}`}>{areaTexts.drop}</p>}
      {isPasting && <AreaInput area={area} reader={reader} onChange={takeArea} />}
      {shape && <DrawPreview shape={shape} corners={corners} />}
      {shape && (
        <DrawPath
          id="area-drawing"
          kind={shape === 'polygon' ? 'area' : 'line'}
          path={corners}
          isDrawing
          onChange={draw}
          onFinish={() => finish()}
        />
      )}
    </div>
  )
}
