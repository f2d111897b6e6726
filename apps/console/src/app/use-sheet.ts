import { useCallback, useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import { useMap } from '../map/map-context.tsx'
import { coveredPixels, toSheetPixels, type SheetHeight } from './sheet.ts'

const smallScreen = (): MediaQueryList => matchMedia('(width < 720px)')

export interface Sheet {
  readonly height: SheetHeight
  readonly setHeight: (height: SheetHeight) => void
  /** The height in pixels, also while it is dragged; null on wide screens. */
  readonly height_px: number | null
  /** The height of the map and the sheet together. */
  readonly available_px: number
  readonly isDragging: boolean
  /** Null ends the drag. */
  readonly drag: (height_px: number | null) => void
  /** Raises a sheet that shows its title only. */
  readonly showContent: () => void
}

/** The height of the panel on small screens; the centre of the map moves to the middle of the part that is not covered. */
export function useSheet(workspace: RefObject<HTMLElement | null>): Sheet {
  const map = useMap()
  const isSmall = useSyncExternalStore(subscribeToScreen, () => smallScreen().matches)
  const [height, setHeight] = useState<SheetHeight>('half')
  const [dragged_px, drag] = useState<number | null>(null)
  const available_px = useElementHeight(workspace)

  // Before the screens move the map to their content.
  useLayoutEffect(() => {
    if (!map) return
    const bottom = isSmall ? coveredPixels(height, available_px) : 0
    // Before the person has moved the map, the URL says where its centre is.
    const center = map.getCenter()
    map.setPadding({ bottom })
    map.jumpTo({ center })
  }, [map, isSmall, height, available_px])

  const showContent = useCallback(() => setHeight((current) => (current === 'peek' ? 'half' : current)), [])
  const height_px = isSmall ? (dragged_px ?? toSheetPixels(height, available_px)) : null
  return { height, setHeight, height_px, available_px, isDragging: dragged_px !== null, drag, showContent }
}

function subscribeToScreen(onChange: () => void): () => void {
  const query = smallScreen()
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** The height of an element, as the window changes. */
function useElementHeight(element: RefObject<HTMLElement | null>): number {
  const [height_px, setHeight] = useState(() => innerHeight)
  // The first frame that is shown has the height: a sheet that changes it afterwards moves what is read.
  useLayoutEffect(() => {
    const observed = element.current
    if (!observed) return
    setHeight(observed.clientHeight)
    const observer = new ResizeObserver(() => setHeight(observed.clientHeight))
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return height_px
}
