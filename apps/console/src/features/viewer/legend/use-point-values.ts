import type { OutputOf } from '@swath/client/operations.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../../api/platform.tsx'
import { isProblem } from '../../../api/problem.ts'
import type { Picture } from '../picture/picture.ts'

type PixelValue = OutputOf<'items.tile.point'>['values'][number]

const kept_ms = 60_000
const operation = 'items.tile.point'

/** The values of a picture at a position. An earlier pending read is cancelled: the latest wins. */
export function usePointValues(
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
