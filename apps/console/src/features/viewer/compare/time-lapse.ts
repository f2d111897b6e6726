import { formatDate } from '../../../ui/format.ts'
import type { ViewItem } from '../state/view-item.ts'

/** More are not held on the map at the same time. */
const max_frames = 24

/** The items that a time-lapse shows: those with a date and a picture, oldest first. */
export const lapseFrames = (items: readonly ViewItem[]): readonly ViewItem[] =>
  items
    .filter(({ datetime, assets }) => datetime !== null && assets.length > 0)
    .toSorted((a, b) => Date.parse(a.datetime!) - Date.parse(b.datetime!))
    .slice(0, max_frames)

export const frameLabel = ({ datetime, name }: ViewItem): string => (datetime ? formatDate(datetime) : name)
