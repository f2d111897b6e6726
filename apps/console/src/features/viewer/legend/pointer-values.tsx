import { createPortal } from 'react-dom'
import { useMap } from '../../../map/map-context.tsx'
import { useMapPointer } from '../../../map/use-map-pointer.ts'
import { texts } from '../../../texts.ts'
import { formatPosition } from '../measure/format-measure.ts'
import { formatValue } from '../picture/histogram.ts'
import { describeBands } from '../picture/picture.ts'
import type { PictureRead } from '../picture/use-picture.ts'
import styles from './legend.module.css'
import { usePointValues } from './use-point-values.ts'
import layout from '../../../ui/layout.module.css'

/** The pointer has to rest this long before a pixel is read. */
const rest_ms = 120

/** The values of the picture at the cursor, or at the centre of the map while the keyboard moves it. */
export function PointerValues({ read }: { read: PictureRead }) {
  const map = useMap()
  const pointer = useMapPointer(rest_ms)
  const { values, isOutside } = usePointValues(read.picture, pointer)
  if (!pointer || !read.picture) return null
  const { asset } = read.picture
  return (
    <div className={`${layout['stack4']} ${styles['values']}`} role={pointer.isCentre ? 'status' : undefined}>
      <small className="figures">
        {pointer.isCentre ? texts.viewer.atCentre : texts.viewer.atCursor} {formatPosition([pointer.lon, pointer.lat])}
      </small>
      <ul className={`${layout['stack2']} figures`}>
        {isOutside && <li className={layout['line']}>{texts.viewer.outside}</li>}
        {values.map(({ name, band_name, value }) => (
          <li className={layout['line']} key={name}>
            <span>{read.picture!.isSingle ? read.picture!.label : describeBands(asset, band_name ?? name)}</span>
            <b>{value === null ? texts.viewer.noData : formatValue(value)}</b>
          </li>
        ))}
      </ul>
      {pointer.isCentre && map && createPortal(<div className={styles['crosshair']} aria-hidden />, map.getContainer())}
    </div>
  )
}
