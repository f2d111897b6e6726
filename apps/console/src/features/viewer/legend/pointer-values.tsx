import { createPortal } from 'react-dom'
import { useMap } from '../../../map/map-context.tsx'
import { useMapPointer } from '../../../map/use-map-pointer.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { formatPosition } from '../measure/format-measure.ts'
import { formatValue } from '../picture/histogram.ts'
import { type Picture, describeBands } from '../picture/picture.ts'
import type { PictureRead } from '../picture/use-picture.ts'
import styles from './legend.module.css'
import layout from '../../../ui/layout.module.css'
import type { OutputOf } from '@swath/client/operations.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../../api/platform.tsx'
import { isProblem } from '../../../api/problem.ts'

type PixelValue = OutputOf<'items.tile.point'>['values'][number]

const kept_ms = 60_000
const operation = 'items.tile.point'

/** The values of a picture at a position. An earlier pending read is cancelled: the latest wins. */
function usePointValues(
  picture: Picture | null,
  position: { readonly lon: number; readonly lat: number } | null,
): { values: readonly PixelValue[]; isOutside: boolean } {
  const { client } = usePlatform()
  const isInside = picture !== null && position !== null && covers(picture, position)
  const input = isInside ? { item_id: picture.item.id, ...picture.query, lon: position.lon, lat: position.lat } : null
  const read = useQuery<OutputOf<typeof operation>>({
    queryKey: [operation, input],
    queryFn: ({ signal }) => client.call(operation, input!, { signal }),
    enabled: input !== null,
    // The last values stay until the next ones are there, so that nothing flickers under a moving cursor.
    placeholderData: keepPreviousData,
    gcTime: kept_ms,
    retry: false,
  })
  const isOutside = position !== null && (!isInside || isProblem(read.error, 'validation'))
  return { values: isOutside ? [] : (read.data?.values ?? []), isOutside }
}

const covers = ({ item: { bbox } }: Picture, { lon, lat }: { lon: number; lat: number }): boolean =>
  bbox === null || (lon >= bbox[0] && lon <= bbox[2] && lat >= bbox[1] && lat <= bbox[3])

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
        {pointer.isCentre ? viewerTexts.atCentre : viewerTexts.atCursor} {formatPosition([pointer.lon, pointer.lat])}
      </small>
      <ul className={`${layout['stack2']} figures`}>
        {isOutside && <li className={layout['line']}>{viewerTexts.outside}</li>}
        {values.map(({ name, band_name, value }) => (
          <li className={layout['line']} key={name}>
            <span>{read.picture!.isSingle ? read.picture!.label : describeBands(asset, band_name ?? name)}</span>
            <b>{value === null ? viewerTexts.noData : formatValue(value)}</b>
          </li>
        ))}
      </ul>
      {pointer.isCentre && map && createPortal(<div className={styles['crosshair']} aria-hidden />, map.getContainer())}
    </div>
  )
}
